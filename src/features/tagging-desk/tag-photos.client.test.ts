import { afterEach, expect, test, vi } from 'vitest';
import { takeBack, tagPhotos } from '#src/features/tagging-desk/tag-photos.client.ts';
import { takenBack } from '#src/features/tagging-desk/tagging-desk.contract.ts';

type Change = { photo_ids: number[] };
const MANY = Array.from({ length: 1_200 }, (_, at) => at + 1);
const TAG = { athleteId: 5, teamId: 1, number: '10', name: 'Maya R.' };

/** Of all calls the second one fails. */
function failSecond() {
  let calls = 0;
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    if (++calls === 2) return Response.json({ error: 'Try again.' }, { status: 500 });
    const { changes } = JSON.parse(body) as { changes: Change[] };
    const ids = changes.flatMap((change) => change.photo_ids);
    const refused = ids.includes(1) ? [{ photo_id: 1, error: 'Gone.' }] : [];
    const undo = changes.map((change) => ({ photo_ids: change.photo_ids, add: [], remove: [{ athlete_id: 5 }] }));
    return Response.json({ tagged: ids.length, hidden: [], held: [ids.at(-1)], refused, undo });
  });
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test('tags of many go on after a call that fails, and what was done can be taken back', async () => {
  failSecond();
  const { refused, undo } = await tagPhotos(7, MANY, { tags: [TAG], what: 'add' });
  expect(refused.map(({ photo_id: id }) => id)).toEqual([1, ...MANY.slice(500, 1_000)]);
  expect(undo.flatMap((change) => change.photo_ids)).toEqual([...MANY.slice(0, 500), ...MANY.slice(1_000)]);
});

test('taking back goes on after a call that fails, and names what was left and what waits', async () => {
  failSecond();
  const undo = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((at) => ({
    photo_ids: MANY.slice(at * 100, (at + 1) * 100),
    add: [],
    remove: [{ athlete_id: 5 }],
  }));
  const { left, held } = await takeBack(7, undo);
  expect([...left.keys()]).toEqual([1, ...MANY.slice(500, 1_000)]);
  expect(held).toEqual([500, 1_200]);
});

test.each([
  [[], 0, 'Undone.'],
  [[1, 2, 3], 0, 'Undone. 3 photos were left as they are: Gone.'],
  [[1], 2, 'Undone. 1 photo was left as it is: Gone. 2 photos are hidden until someone checks them.'],
  [[1, 2, 3, 4], 0, 'Gone.'],
])('of 4 photos with %j left and %d waiting it says what happened', (left, held, said) => {
  expect(takenBack(4, new Map(left.map((id) => [id, 'Gone.'])), held)).toBe(said);
});

import { describe, expect, test } from 'vitest';
import { actionOf } from '#src/features/tagging-desk/command.rules.ts';
import { DeskSession } from '#src/features/tagging-desk/desk-session.client.ts';
import type { DeskPage } from '#src/features/tagging-desk/photo-pages.client.ts';
import {
  isHidden,
  type DeskPhoto,
  type DeskPlayer,
  type DeskRoster,
} from '#src/features/tagging-desk/desk-model.rules.ts';
import { hiddenWords } from '#src/features/tagging-desk/hidden-words.rules.ts';
import type { Work } from '#src/features/tagging-desk/tag-store.client.ts';
import { deskPhoto } from '#tests/support/desk-photo.ts';

const player = (athleteId: number, name: string, number: string, teamId = 1, consent = 'yes' as const): DeskPlayer => ({
  athleteId,
  name,
  folded: name.toLowerCase().replace('.', ''),
  teamId,
  number,
  consent,
});
const MAYA = player(1, 'Maya R.', '10');
const LEO = player(2, 'Leo B.', '7');
const ANA = player(3, 'Ana M.', '10', 2);
const HAWKS = { id: 1, name: 'Hawks U12', shortName: 'Hawks' };
const TIDES = { id: 2, name: 'Tides U12', shortName: 'Tides' };
const ONE: DeskRoster = { teams: [HAWKS], players: [MAYA, LEO] };
const TWO: DeskRoster = { teams: [HAWKS, TIDES], players: [MAYA, LEO, ANA] };

const photos = (count: number) => Array.from({ length: count }, (_, at) => deskPhoto(at + 1));

function deskOf(
  all: readonly DeskPhoto[],
  { roster = ONE, pages = [] as DeskPage[] }: { roster?: DeskRoster; pages?: DeskPage[] } = {},
) {
  const sent: Work[] = [];
  const total = all.length + pages.reduce((sum, page) => sum + page.photos.length, 0);
  const done = all.filter(({ tags, isChecked }) => tags.length > 0 || isChecked).length;
  let at = 0;
  const session = new DeskSession({
    galleryId: 1,
    roster,
    first: { photos: all, next: pages.length > 0 ? '0' : null, done, total },
    load: async (after) => (after === null ? { photos: all, next: null } : (pages[Number(after)] ?? null)),
    send: (_, work) => void sent.push(...work),
    now: () => (at += 2_000),
  });
  /** As a keyboard sends it; `⏎` and `⇧⏎` end a line. */
  const keys = (...presses: string[]) => {
    for (const key of presses) {
      const { text, asked } = session.state();
      const shiftKey = key === '⇧⏎';
      const event = { key: key.endsWith('⏎') ? 'Enter' : key, shiftKey, ctrlKey: key === '^z', metaKey: false };
      const action = actionOf(
        { ...event, key: key === '^z' ? 'z' : event.key, altKey: false, isComposing: false },
        text,
        asked,
      );
      if (action) session.act(action);
      else session.type(text + key);
    }
  };
  const tags = () => session.state().photos.map((one) => one.tags.map(({ number, name }) => name ?? number).join('+'));
  return { session, sent, keys, tags, state: session.state };
}

describe('the tagging desk', () => {
  test('tags the photo with a number and ⏎, and shows the next', () => {
    const { keys, tags, state, sent } = deskOf(photos(3));
    keys('1', '0', '⏎');
    expect(tags()).toEqual(['Maya R.', '', '']);
    expect(state()).toMatchObject({ place: 1, text: '', tagged: 1, news: 'Tagged 10 Maya R. Photo 2 of 3.' });
    keys('1', '0', ' ', '7', ' ', '4', '1', '⏎');
    expect(state().asked?.text).toBe('Nobody on these teams wears 41. Tag the number anyway? ⏎');
    keys('⏎');
    expect(tags()[1]).toBe('Maya R.+Leo B.+41');
    expect(sent.at(-1)).toEqual({
      kind: 'tags',
      photo_ids: [2],
      add: [{ athlete_id: 1 }, { athlete_id: 2 }, { team_id: 1, number: '41' }],
      remove: [],
      how: 'hand',
    });
  });

  test('asks which of two players with one number, answered by a digit or a letter before the number', () => {
    const { keys, tags, state } = deskOf(photos(4), { roster: TWO });
    keys('1', '0', '⏎');
    expect(state()).toMatchObject({
      place: 0,
      asked: { text: 'Two players wear 10. Press 1 for Hawks, 2 for Tides.' },
    });
    keys('2');
    keys('h', '1', '0', '⏎', '2', '.', '1', '0', '⏎');
    expect(tags()).toEqual(['Ana M.', 'Maya R.', 'Ana M.', '']);
    keys('1', '0', '⏎', 'Escape');
    expect(state()).toMatchObject({ place: 3, asked: null, text: '' });
  });

  test('leaves the photo with ⏎, repeats the previous tags with ., names nobody with -, hides with x', () => {
    const { keys, tags, state, sent } = deskOf(photos(6));
    keys('⏎', '.');
    expect(state().remark).toBe('The photo before has no tags.');
    keys('7', '⏎', '.', '-', '.', 'x', '⏎');
    expect(tags()).toEqual(['', 'Leo B.', 'Leo B.', '', '', '']);
    expect(state().photos.map(({ isChecked }) => isChecked)).toEqual([false, false, false, true, true, false]);
    expect(state().photos[5]?.isShown).toBe(false);
    expect(state()).toMatchObject({ tagged: 4, place: 5, remark: 'This is the last photo.' });
    expect(sent.slice(-2)).toEqual([
      { kind: 'tags', photo_ids: [5], add: [], remove: [], checked: true, how: 'hand' },
      { kind: 'shown', photo_ids: [6], isShown: false },
    ]);
  });

  test('tags the whole burst with Shift+⏎, and continues after it', () => {
    const shots = photos(5).map((one, at) => ({
      ...one,
      camera: 'A',
      capturedAt: `2026-10-03T10:00:${String(at < 3 ? at * 2 : at * 10).padStart(2, '0')}`,
    }));
    const { keys, tags, state, sent } = deskOf(shots);
    keys('ArrowRight', '7', '⇧⏎');
    expect(tags()).toEqual(['Leo B.', 'Leo B.', 'Leo B.', '', '']);
    expect(state()).toMatchObject({ place: 3, tagged: 3 });
    expect(sent).toMatchObject([{ photo_ids: [1, 2, 3], how: 'burst' }]);
    keys('1', '0', '⏎', 'Home');
    expect(state().place).toBe(4);
    keys('^z', '^z');
    expect(tags().join('')).toBe('');
    expect(state()).toMatchObject({ place: 1, tagged: 0 });
  });

  test('tags the whole team with g', () => {
    const { keys, tags } = deskOf(photos(2));
    keys('g', '⏎');
    expect(tags()).toEqual(['Maya R.+Leo B.', '']);
  });

  test('undoes all steps with Ctrl+Z in order, typed text first', () => {
    const { keys, tags, state, sent } = deskOf(photos(4));
    keys('1', '0', '⏎', '7', '⏎', '-', 'x', '⏎', '1');
    keys('^z');
    expect(state()).toMatchObject({ text: '', place: 3, mayUndo: true });
    for (const place of [3, 2, 1, 0]) {
      keys('^z');
      expect(state().place).toBe(place);
    }
    expect([tags().join(''), state().tagged, state().mayUndo]).toEqual(['', 0, false]);
    keys('^z');
    expect(state().remark).toBe('There is nothing to undo.');
    // What was sent adds up to the start.
    const left = new Map<string, number>();
    for (const work of sent) {
      if (work.kind !== 'tags') continue;
      for (const id of work.photo_ids) {
        for (const tag of work.add) left.set(`${id} ${JSON.stringify(tag)}`, 1);
        for (const tag of work.remove) left.delete(`${id} ${JSON.stringify(tag)}`);
      }
    }
    expect(left.size).toBe(0);
  });

  test('tags with a click on the roster and stays; another click removes the tag', () => {
    const { session, tags, state } = deskOf(photos(2));
    session.toggle(MAYA);
    session.toggle(LEO);
    session.toggle(MAYA);
    expect([tags(), state().place]).toEqual([['Leo B.', ''], 0]);
    session.undo();
    expect(tags()).toEqual(['Leo B.+Maya R.', '']);
  });

  test('starts at the first untagged photo, and skips photos that someone else is tagging', async () => {
    const first = [
      deskPhoto(1, { isChecked: true }),
      deskPhoto(2, { isTaken: true }),
      deskPhoto(3, { isChecked: true }),
    ];
    const { session, state, keys } = deskOf(first, {
      pages: [
        { photos: [deskPhoto(4, { isChecked: true }), deskPhoto(5), deskPhoto(6, { isTaken: true })], next: '1' },
        { photos: [deskPhoto(7)], next: null },
      ],
    });
    session.start();
    await expect.poll(() => state().photos.length).toBe(7);
    expect(state().place).toBe(4);
    keys('ArrowRight');
    expect(state().place).toBe(6);
    keys('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    expect(state().place).toBe(2);
  });

  test('reloads who tags what, and keeps its own changes', async () => {
    const all = photos(4);
    const { session, keys, state, tags } = deskOf(all);
    keys('7', '⏎');
    all[1] = deskPhoto(2, { isTaken: true });
    all[2] = deskPhoto(3, { tags: [{ athleteId: 1, teamId: 1, number: '10', name: 'Maya R.' }] });
    await session.reload([1, 4]);
    expect([tags(), state().place, state().remark]).toEqual([
      ['Leo B.', '', 'Maya R.', ''],
      3,
      'The next 2 photos are yours for 20 minutes.',
    ]);
    // Somebody said that nobody who must not be published is on it.
    all[3] = deskPhoto(4, { isWithheld: true });
    expect(await session.refresh()).toBe(true);
    expect(state().photos.map(isHidden)).toEqual([false, false, false, true]);
    all[3] = deskPhoto(4);
    await session.refresh();
    expect(state().photos.map(isHidden)).toEqual([false, false, false, false]);
    await session.reload([]);
    expect(state()).toMatchObject({ place: 3, remark: 'Every photo is tagged, or someone else is tagging it.' });
  });

  test('keeps an undo that is not sent yet when the photos are loaded again, and then what others did', async () => {
    const all = photos(2);
    const { session, sent, keys, tags } = deskOf(all);
    keys('1', '0', '⏎', '^z');
    // The server has the tag, and not the undo.
    all[0] = deskPhoto(1, { tags: [{ athleteId: 1, teamId: 1, number: '10', name: 'Maya R.' }] });
    session.unsent.answered(sent.slice(0, 1));
    await session.refresh();
    expect(tags()).toEqual(['', '']);
    session.unsent.answered(sent.slice(1));
    await session.refresh();
    expect(tags()).toEqual(['Maya R.', '']);
  });

  test('removes refused tags from the photo, and reports hidden photos', () => {
    const { session, keys, tags, state } = deskOf(photos(3));
    keys('1', '0', '⏎', '7', '⏎');
    session.takeBack(new Set([1]), 'This athlete cannot be found.');
    expect([tags(), state().tagged]).toEqual([['', 'Leo B.', ''], 1]);
    expect(state().notice).toEqual({ photoId: 1, text: 'This athlete cannot be found.' });
    session.seen({ hidden: [2], held: [], shown: [] }, 'Hidden.');
    expect(state().photos.map(isHidden)).toEqual([false, true, false]);
    keys('7', '⏎');
    expect(state().notice).toEqual({ photoId: 2, text: 'Hidden.' });
    session.closeNotice();
    expect(state().notice).toBeNull();
  });

  test('hides a photo that waits for a check, also after the check, and an undo restores what members wanted', () => {
    const { session, keys, state, sent } = deskOf([
      deskPhoto(1, { isWithheld: true }),
      deskPhoto(2, { isWithheld: true }),
    ]);
    const hide = { kind: 'shown', photo_ids: [1], isShown: false };
    keys('x', '⏎', 'ArrowLeft', '^z');
    expect(sent).toEqual([hide, { ...hide, isShown: true }]);
    expect(state().photos.map(isHidden)).toEqual([true, true]);
    keys('7', '⏎');
    session.seen({ hidden: [], held: [], shown: [1] }, '');
    expect(state().photos.map(isHidden)).toEqual([false, true]);
    keys('ArrowLeft', 'x', '⏎');
    expect(sent.at(-1)).toEqual(hide);
    expect(state().photos.map(isHidden)).toEqual([true, true]);
    keys('^z', '^z');
    session.seen({ hidden: [], held: [1], shown: [] }, '');
    expect(state()).toMatchObject({ remark: '1 photo is hidden until someone checks it.', notice: null });
    expect(state().photos.map(isHidden)).toEqual([true, true]);
  });
});

test.each([
  ['no', 'Maya R. must not be published. This photo is now hidden.'],
  ['family', 'Maya R. may be shown only to the family. This photo is now hidden.'],
  ['unknown', 'Maya R. may be shown only to the family. This photo is now hidden.'],
  ['yes', 'This photo is now hidden.'],
] as const)('for a hidden photo of a child with “%s”', (consent, words) => {
  const shown = [deskPhoto(1, { tags: [{ athleteId: 1, teamId: 1, number: '10', name: 'Maya R.' }] })];
  expect(hiddenWords(shown, [1], { players: [{ ...MAYA, consent }, LEO] })).toBe(words);
});

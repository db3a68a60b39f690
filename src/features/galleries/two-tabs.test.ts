/** Two people, or two tabs, change the settings of one gallery. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changedMeanwhile,
  GALLERY_CHANGED_MEANWHILE,
  type GalleryAnswer,
} from '#src/features/galleries/galleries.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let id: number;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});
beforeEach(async () => {
  id = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Cup', price_per_photo: 4 });
});

const save = (gallery: object, seen?: object) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${id}`,
    as: people.tokens.owner,
    payload: { gallery, ...(seen === undefined ? {} : { seen }) },
  });
const now = async () =>
  (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as: people.tokens.owner })).json<
    GalleryAnswer[]
  >()[0];

describe('two tabs at one gallery', () => {
  test('change different fields without undoing each other', async () => {
    expect((await save({ name: 'Final' }, { name: 'Cup' })).statusCode).toBe(200);
    expect((await save({ price_per_photo: 6 }, { price_per_photo: 4 })).json()).toMatchObject([
      { name: 'Final', price_per_photo: 6 },
    ]);
  });

  test('do not overwrite what they have not seen, and get its current value', async () => {
    await save({ name: 'Final', allow_voting: true, target_goal: 250 });
    const refused = await save({ name: 'Semifinal', target_goal: 100 }, { name: 'Cup', target_goal: 0 });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      error: GALLERY_CHANGED_MEANWHILE,
      errors: { name: [changedMeanwhile('name')], target_goal: [changedMeanwhile('target_goal')] },
      gallery: { name: 'Final', target_goal: 250 },
    });
    expect(Object.keys(refused.json<{ gallery: object }>().gallery)).toEqual(['name', 'target_goal']);
    expect(await now()).toMatchObject({ name: 'Final', target_goal: 250 });
    // After the conflict they may overwrite it.
    expect((await save({ name: 'Semifinal' }, { name: 'Final' })).statusCode).toBe(200);
  });

  test('get a conflict for a changed password, also when there was none', async () => {
    expect((await save({ password_required: true, password: 'goal' }, { password: '' })).statusCode).toBe(200);
    expect((await save({ password: 'other' }, { password: 'keeper' })).statusCode).toBe(409);
    expect((await save({ password: 'other' }, { password: 'goal' })).statusCode).toBe(200);
    expect(await now()).toMatchObject({ password: 'other' });
  });

  test('that save at the same time: one gets a conflict', async () => {
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => save({ name }, { name: 'Cup' })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409]);
    const [won] = answers.find(({ statusCode }) => statusCode === 200)?.json<GalleryAnswer[]>() ?? [];
    expect((await now())?.name).toBe(won?.name);
  });

  test.each([{ name: 7 }, { organization_id: 1 }, [], 'x', null])(
    'are refused with %j as the seen values, or it is ignored',
    async (seen) => {
      const { statusCode } = await save({ name: 'Final' }, seen as object);
      expect([200, 422]).toContain(statusCode);
    },
  );
});

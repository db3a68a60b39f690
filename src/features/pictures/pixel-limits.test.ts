/** Work that a member starts with one call and that others wait for is limited. */
import { beforeAll, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const FACTOR = 0.2;
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: String(FACTOR) } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

test('one user rotates at most 120 photos a minute, and others are not affected', async () => {
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  const turn = async (as: string) =>
    (await server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/gallery_photos/1/rotate`, as }))
      .statusCode;
  for (let turned = 0; turned < 120 * FACTOR; turned += 1) expect(await turn(people.tokens.owner)).toBe(404);
  expect(await turn(people.tokens.owner)).toBe(429);
  expect(await turn(people.tokens.parentMember)).toBe(404);
});

test('an organization changes its watermark at most sixty times an hour; saving the same one is not a change', async () => {
  const put = async (affiliate: Record<string, unknown>) =>
    (
      await server.call({
        method: 'PUT',
        url: `/api/v1/affiliates/${people.hawks.id}`,
        as: people.tokens.owner,
        payload: { affiliate },
      })
    ).statusCode;
  for (let changed = 0; changed < 60 * FACTOR; changed += 1)
    expect(await put({ watermark_text: `Hawks ${changed}` })).toBe(200);
  expect(await put({ watermark_text: 'Owls' })).toBe(429);
  expect(await put({ watermark_text: `Hawks ${60 * FACTOR - 1}`, name: 'Hawks United' })).toBe(200);
});

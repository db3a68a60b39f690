import { expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const VISITOR = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.1' } as const;

test('photos of several galleries in any order are each sold at the price of their own', async () => {
  const { tokens, hawks } = await settleNeighborhood(server);
  const galleryOf = async (dollars: number) => {
    const id = await openGallery(server, tokens.owner, hawks.id, { price_per_photo: dollars });
    return { id, organizationId: hawks.id };
  };
  const [cheap, dear] = [await galleryOf(4), await galleryOf(9)];
  const ids: number[] = [];
  for (const gallery of [cheap, dear, cheap, dear]) ids.push(await addReadyPhoto(server, gallery, {}));
  await server.data.ownerQuery(`update photos set price_override_cents = 1200 where id = ${ids[3]}`);

  const sold = await server.app.photos.sellable(VISITOR, ids);
  expect(ids.map((id) => sold.find((photo) => photo.id === id))).toMatchObject([
    { galleryId: cheap.id, priceCents: 400, hasOwnPrice: false },
    { galleryId: dear.id, priceCents: 900, hasOwnPrice: false },
    { galleryId: cheap.id, priceCents: 400, hasOwnPrice: false },
    { galleryId: dear.id, priceCents: 1200, hasOwnPrice: true },
  ]);
});

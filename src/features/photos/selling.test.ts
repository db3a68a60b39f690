import { describe, expect, test } from 'vitest';
import type { Unavailable } from '#src/features/orders/orders.contract.ts';
import type { MoveAnswer } from '#src/features/photo-editor/photo-editor.contract.ts';
import { openSale } from '#tests/support/bought-photos.ts';
import { addReadyPhoto, openGallery, settleAnother, settleNeighborhood } from '#tests/support/neighborhood.ts';
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

describe('a photo that moved to another gallery', () => {
  /** Photos of a gallery of 4 dollars, all but the last of which moved to one of 6. */
  async function settleMoved() {
    const people = await settleAnother(server);
    const { owner } = people.tokens;
    const old = await openSale(server, owner, people.hawks.id, { photos: 3 });
    const now = await openSale(server, owner, people.hawks.id, { photos: 0, priceDollars: 6 });
    await server.data.ownerQuery(
      `insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
       select id, 320, 'clean', 'jpeg', 1, 'renditions/' || id, 'x', 1, 1, 1 from photos on conflict do nothing`,
    );
    const url = `/api/v1/galleries/${old.galleryId}/gallery_photos/move`;
    const payload = { ids: old.photoIds.slice(0, 2), gallery_id: now.galleryId };
    const { moved } = (await server.call({ method: 'POST', url, as: owner, payload })).json<MoveAnswer>();
    const newIds = old.photoIds.flatMap((id) => moved.find((pair) => pair.id === id)?.new_id ?? []);
    const update = (what: string) =>
      server.data.ownerQuery(`update galleries set ${what} where id = $1`, [now.galleryId]);
    return { people, old, now, newIds, update };
  }
  type Settled = Awaited<ReturnType<typeof settleMoved>>;

  async function quote(
    { people, old }: Settled,
    as: string | null = null,
    sellerId = people.hawks.id,
    before: readonly { id: number; gallery_id: number }[] = [],
  ) {
    const items = [...before, ...old.photoIds.map((id) => ({ id, gallery_id: old.galleryId }))];
    const payload = { order: { org_id: sellerId }, items };
    return server.call({ method: 'POST', url: '/api/v1/orders/quote', as, payload });
  }
  const unavailable = async (...how: Parameters<typeof quote>) =>
    (await quote(...how)).json<{ unavailable: Unavailable[] }>().unavailable;

  test('is sold from there, at its price, to whoever has it in the cart', async () => {
    const settled = await settleMoved();
    const { people, old, now, newIds } = settled;
    const places = newIds.map((id, at) => ({ id, gallery_id: now.galleryId, name: `Photo ${at + 1}` }));
    expect(await unavailable(settled)).toEqual(
      places.map((place, at) => ({
        id: old.photoIds[at],
        gallery_id: old.galleryId,
        reason: 'gone',
        moved_to: place,
      })),
    );
    const items = [
      ...places.map(({ id, gallery_id }) => ({ id, gallery_id })),
      { id: old.photoIds[2], gallery_id: old.galleryId },
    ];
    const payload = { order: { org_id: people.hawks.id }, items };
    const priced = await server.call({ method: 'POST', url: '/api/v1/orders/quote', payload });
    expect(priced.json()).toMatchObject({ subtotal: 16 });
  });

  test('is not found by who may not buy it there, nor by another seller', async () => {
    const settled = await settleMoved();
    const { people, update, newIds } = settled;
    const found = async (...how: [(string | null)?, number?]) =>
      (await unavailable(settled, ...how)).filter(({ moved_to: place }) => place !== undefined).length;
    await update('is_private = true');
    expect([await found(), await found(people.tokens.neighbor), await found(people.tokens.owner)]).toEqual([0, 0, 2]);
    await update("is_private = false, password_required = true, password_encrypted = ''");
    expect(await found()).toBe(0);
    await update('password_required = false, active = false');
    expect(await found()).toBe(0);
    await update('active = true');
    expect(await found()).toBe(2);
    expect(await found(null, people.tides.id)).toBe(0);
    await server.data.ownerQuery('update photos set show_in_gallery = false where id = $1', [newIds[0]]);
    expect(await found()).toBe(1);
    // A locked gallery does not say what moved out of it.
    const locked = "password_required = true, password_encrypted = ''";
    await server.data.ownerQuery(`update galleries set ${locked} where id = $1`, [settled.old.galleryId]);
    expect(await found()).toBe(0);
    // Nor behind more galleries than are asked for a password.
    const others = Array.from({ length: 20 }, (_, at) => ({ id: 9_000_000 + at, gallery_id: 9_000_000 + at }));
    expect((await unavailable(settled, null, people.hawks.id, others)).filter((each) => each.moved_to)).toEqual([]);
  });

  test('stays among the favorites, and in links that show it', async () => {
    const settled = await settleMoved();
    const { people, old, newIds, update } = settled;
    const chosen = async (ids: readonly number[], sellerId = people.hawks.id) => {
      const { photos, moved } = await server.app.chosenPhotos.chosen(VISITOR, sellerId, ids);
      return [photos.map(({ id }) => id), moved.length];
    };
    const [first = 0, second = 0, third = 0] = old.photoIds;
    expect(await chosen([third, second, first])).toEqual([[third, newIds[1], newIds[0]], 2]);
    expect(await chosen([first, newIds[0] ?? 0])).toEqual([[newIds[0]], 1]);
    expect(await chosen([first, second, third], people.tides.id)).toEqual([[], 0]);
    for (const closed of [
      'is_private = true',
      "password_required = true, password_encrypted = '', is_private = false",
    ]) {
      await update(closed);
      expect(await chosen([first, third])).toEqual([[third], 0]);
    }
  });
});

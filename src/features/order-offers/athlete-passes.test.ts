/** Athlete passes and photos included with registration, in carts, orders, receipts and refunds. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { alreadyYours, athletePassRefusal, wornBySeveral } from '#src/features/order-offers/sold-passes.contract.ts';
import type { OrderAnswer, QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import type { PassPhotosAnswer } from '#src/features/passes/passes.contract.ts';
import { createReportCheck } from '#src/features/reports/reports.service.ts';
import { chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard, type CardedAthlete } from '#tests/support/family-cards.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { HAWKS_FALL } from '#tests/support/price-sheets.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { meetAtLock } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let host: string;
let organizationId: number;
let teamId: number;
let galleryId: number;

beforeEach(async () => {
  people = await settleAnother(server);
  host = `${people.parent.path}.localhost`;
  organizationId = people.hawks.id;
  teamId = await addTeam(server, organizationId);
  galleryId = await openGallery(server, people.tokens.owner, organizationId, { name: 'Cup final', price_per_photo: 4 });
  const offers = [
    ...HAWKS_FALL.content.offers.filter(({ kind }) => kind !== 'gallery_pass' && kind !== 'athlete_pass'),
    PASS,
  ];
  const content = { offers, ownPricesTakePart: false, earlyBird: null };
  await useSheet(server.data, { sellerId: organizationId, galleryId }, content);
});
const PASS = { id: 4, kind: 'athlete_pass' as const, priceCents: 2500 };

const addChild = (child: Parameters<typeof addCarded>[2] = {}) =>
  addCarded(server, { id: teamId, organizationId }, child);
/** Adds photos to the gallery, with this child on them as number 10. */
async function addPhotosOf(child: CardedAthlete, count: number, gallery = galleryId): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) ids.push(await addReadyPhoto(server, { id: gallery, organizationId }));
  const tags = ids.map((photoId) => ({ photoId, athleteId: child.athleteId }));
  await tag(server, organizationId, tags);
  await server.data.ownerQuery(
    `update photo_tags t set team_id = e.team_id, number = e.number from entries e
      where e.athlete_id = t.athlete_id and t.athlete_id = $1`,
    [child.athleteId],
  );
  return ids;
}

type Cart = { photos?: number[]; passes?: object[]; cookie?: string; gallery?: number };
async function quote({ photos = [], passes = [], cookie = '', gallery = galleryId }: Cart) {
  return server.call({
    method: 'POST',
    url: '/api/v1/orders/quote',
    headers: { host, cookie },
    payload: {
      order: { org_id: organizationId, donation: '' },
      items: photos.map((id) => ({ id, gallery_id: gallery })),
      passes,
    },
  });
}
const priceOf = async (cart: Cart) => (await quote(cart)).json<QuoteAnswer>();

const endCards = (child: CardedAthlete) =>
  server.data.ownerQuery('update athlete_cards set replaced_at = now() where athlete_id = $1', [child.athleteId]);

let orders = 0;
async function place(
  { photos = [], passes = [], cookie = '', email, card }: Cart & { email?: string; card?: string },
  subtotal: number,
) {
  const address = email ?? `fan${++orders}@families.test`;
  const user = { first_name: 'Ann', last_name: 'Buyer', email: address, confirm_email: address, zip: '55401' };
  return server.call({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { host, cookie },
    payload: {
      order: {
        user,
        donation: '',
        taxes: 0,
        subtotal,
        org_id: organizationId,
        checkout_key: `athlete-pass-${++orders}-${process.pid}`,
      },
      stripe_token: await payWith(server, card),
      items: photos.map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
      passes,
    },
  });
}
async function buy(cart: Parameters<typeof place>[0], subtotal: number): Promise<OrderAnswer> {
  const answer = await place(cart, subtotal);
  expect(answer.statusCode, answer.body).toBe(201);
  return orderOf(answer.json<{ vanity_id: string }>().vanity_id);
}
const orderOf = async (vanityId: string) =>
  (await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` })).json<OrderAnswer>();
const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b);
const passPhotos = async (order: OrderAnswer) =>
  (
    await server.call({
      method: 'GET',
      url: `/api/v1/orders/${order.vanity_id}/passes/${order.passes?.[0]?.id}/photos`,
    })
  )
    .json<PassPhotosAnswer>()
    .photos.map(({ id }) => id)
    .toSorted((a, b) => a - b);
async function expectBooksRight(): Promise<void> {
  const wrong = await checkInvariants({ database: server.platform.database, sandboxCards: true });
  // The photos have no files.
  expect(wrong.filter((line) => !line.startsWith('I7:'))).toEqual([]);
  expect(await createReportCheck(server.platform).differences()).toEqual([]);
}
const childPass = (child: CardedAthlete) => ({ kind: 'athlete_pass', athlete_key: `child:${child.athleteId}` });
const numberPass = () => ({ kind: 'athlete_pass', athlete_key: `team:${teamId}:10` });
const give = (photos: number, changes: object = {}, token = people.tokens.owner) =>
  server.call({
    method: 'POST',
    url: `/api/v1/teams/${teamId}/allowances`,
    headers: { authorization: `Bearer ${token}` },
    payload: { photos, ...changes },
  });

describe('an athlete pass', () => {
  test('replaces the eight photos of number 10 in a cart, says so, and is bought with them', async () => {
    await chooseUnknown(server, organizationId, 'show');
    const all = await addPhotosOf(await addChild(), 31);
    const photos = all.slice(0, 8);
    const priced = await priceOf({ photos });
    expect(priced).toMatchObject({ subtotal: 25, offers: [{ kind: 'athlete_pass', name: 'All photos of number 10' }] });
    expect(priced.notes).toContain('All photos of number 10 cost the same as the 8 in your cart, so you get all 31.');
    const order = await buy({ photos }, 25);
    expect(order.pricing).toEqual([{ text: 'All photos of number 10', amount: 25 }]);
    expect(order.passes).toMatchObject([{ kind: 'athlete_pass', name: 'All photos of number 10', photo_count: 31 }]);
    expect(JSON.stringify(order)).not.toContain('Maya');
    await expectBooksRight();
  });

  test('of a public number is for everyone, and only where one player wears it', async () => {
    const maya = await addChild();
    await addPhotosOf(maya, 2);
    expect((await quote({ passes: [numberPass()] })).json()).toMatchObject({
      errors: { passes: [athletePassRefusal] },
    });
    await chooseUnknown(server, organizationId, 'show');
    expect(await priceOf({ passes: [numberPass()] })).toMatchObject({ subtotal: 25 });
    await addChild({ firstName: 'Leo' });
    expect((await quote({ passes: [numberPass()] })).json()).toMatchObject({
      errors: { passes: [wornBySeveral('10', 2)] },
    });
    expect(wornBySeveral('10', 2)).toBe('Two players wear 10. Please use your card.');
    const cookie = await openCard(server, host, maya);
    expect(await priceOf({ passes: [childPass(maya)], cookie })).toMatchObject({ subtotal: 25 });
  });

  test.each([['child:7'], ['Maya'], ['team:7:10'], ['']])('with the key %s is refused', async (athlete_key) => {
    await addPhotosOf(await addChild(), 1);
    const answer = await quote({ passes: [{ kind: 'athlete_pass', athlete_key }] });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { passes: [athletePassRefusal] } }]);
  });

  test('of a child whose card was not opened here is refused', async () => {
    const [maya, leo] = [await addChild(), await addChild({ firstName: 'Leo', number: '7' })];
    await addPhotosOf(leo, 2);
    for (const cookie of ['', await openCard(server, host, maya)])
      expect((await quote({ passes: [childPass(leo)], cookie })).statusCode).toBe(422);
  });

  test('of a card opens what only the family sees, what comes later, and nothing that is not published', async () => {
    const maya = await addChild({ consent: 'family' });
    const [first = 0, second = 0] = await addPhotosOf(maya, 2);
    const order = await buy({ passes: [childPass(maya)], cookie: await openCard(server, host, maya) }, 25);
    expect(await passPhotos(order)).toEqual(sorted([first, second]));
    const [late = 0] = await addPhotosOf(maya, 1);
    const other = await openGallery(server, people.tokens.owner, organizationId, { name: 'Without a sheet' });
    await addPhotosOf(maya, 1, other);
    expect(await passPhotos(order)).toEqual(sorted([first, second, late]));
    const key = order.passes?.[0]?.order_key;
    const picture = (id: number) =>
      server.call({
        method: 'GET',
        url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}?orderkey=${key}&size=640`,
      });
    // This test needs no file: without one the store says so.
    expect((await picture(late)).statusCode).toBe(503);
    await server.data.ownerQuery("update athletes set consent = 'no' where id = $1", [maya.athleteId]);
    expect(await passPhotos(order)).toEqual([]);
    expect((await picture(late)).statusCode).toBe(404);
  });

  const sayNo = (athleteId: number, by: 'member' | 'family' = 'member') =>
    server.data.database.write({ kind: 'tenants', organizationIds: [organizationId] }, (tx) =>
      server.app.consent.changeConsent(tx, { organizationId, athleteId, consent: 'no', by }),
    );

  test('of the child’s own family keeps what was in it before the child’s "no", unless they gave the card back', async () => {
    const maya = await addChild();
    const before = await addPhotosOf(maya, 2);
    const order = await buy({ passes: [childPass(maya)], cookie: await openCard(server, host, maya) }, 25);
    await sayNo(maya.athleteId);
    await addPhotosOf(maya, 1);
    expect(await passPhotos(order)).toEqual(sorted(before));
    // Saying it again adds nothing that was uploaded since.
    await sayNo(maya.athleteId, 'family');
    expect(await passPhotos(order)).toEqual(sorted(before));
    await server.data.ownerQuery('update athlete_cards set refused_at = now() where athlete_id = $1', [maya.athleteId]);
    expect(await passPhotos(order)).toEqual([]);
  });

  test('that is bought after the child’s no opens only what a member shows as an exception', async () => {
    const maya = await addChild();
    const [shown = 0] = await addPhotosOf(maya, 3);
    await sayNo(maya.athleteId);
    const url = `/api/v1/galleries/${galleryId}/gallery_photos/${shown}/exception`;
    const reason = 'Maya is seen from behind';
    await server.call({ method: 'PUT', url, as: people.tokens.owner, payload: { reason } });
    const order = await buy({ passes: [childPass(maya)], cookie: await openCard(server, host, maya) }, 25);
    expect(await passPhotos(order)).toEqual([shown]);
  });

  test('that was bought during a merge is of its card’s child after the merge is undone', async () => {
    const [maya, leo] = [await addChild(), await addChild({ firstName: 'Leo', number: '7' })];
    const hers = await addPhotosOf(maya, 1);
    await addPhotosOf(leo, 1);
    const merge = async (path: string, payload: object) => {
      const call = { method: 'POST', url: `/api/v1/athletes/${maya.athleteId}/${path}`, payload } as const;
      expect((await server.call({ ...call, as: people.tokens.owner })).statusCode).toBe(200);
    };
    await merge('merge', { into: leo.athleteId });
    const order = await buy({ passes: [childPass(leo)], cookie: await openCard(server, host, maya) }, 25);
    expect(await passPhotos(order)).toHaveLength(2);
    await merge('merge/undo', {});
    await server.data.ownerQuery("update athletes set consent = 'family' where organization_id = $1", [organizationId]);
    expect(await passPhotos(order)).toEqual(hers);
  });

  test('of a replaced card keeps its photos, and gets nothing more that only the family sees', async () => {
    const maya = await addChild({ consent: 'family' });
    const first = await addPhotosOf(maya, 2);
    const order = await buy({ passes: [childPass(maya)], cookie: await openCard(server, host, maya) }, 25);
    await endCards(maya);
    await addPhotosOf(maya, 1);
    expect(await passPhotos(order)).toEqual(sorted(first));
    await sayNo(maya.athleteId);
    expect(await passPhotos(order)).toEqual(sorted(first));
  });

  test('of a number is not offered for a child who must not be published', async () => {
    await chooseUnknown(server, organizationId, 'show');
    const maya = await addChild({ consent: 'no' });
    const photos = await addPhotosOf(maya, 8);
    await server.data.ownerQuery(
      `insert into photo_exceptions (photo_id, athlete_id, organization_id, reason)
       select photo_id, $1, $2, 'Seen from behind' from unnest($3::bigint[]) as photo_id`,
      [maya.athleteId, organizationId, photos],
    );
    expect((await priceOf({ photos })).offers?.map(({ kind }) => kind)).not.toContain('athlete_pass');
    expect((await quote({ passes: [numberPass()] })).json()).toMatchObject({
      errors: { passes: [athletePassRefusal] },
    });
  });

  test('is sold once to each address', async () => {
    await chooseUnknown(server, organizationId, 'show');
    await addPhotosOf(await addChild(), 2);
    const order = await buy({ passes: [numberPass()], email: 'ann@families.test' }, 25);
    const again = await place({ passes: [numberPass()], email: 'Ann@families.test' }, 25);
    expect([again.statusCode, again.json()]).toMatchObject([409, { error: alreadyYours(order.vanity_id ?? '') }]);
    await buy({ passes: [numberPass()], email: 'omar@families.test' }, 25);
  });

  test('is refunded with the photos that it covers', async () => {
    await chooseUnknown(server, organizationId, 'show');
    const photos = (await addPhotosOf(await addChild(), 9)).slice(0, 8);
    const other = await addReadyPhoto(server, { id: galleryId, organizationId });
    const order = await buy({ photos: [...photos, other], passes: [numberPass()] }, 29);
    const back = await server.call({
      method: 'POST',
      url: `/api/v1/orders/${order.vanity_id}/refunds`,
      as: people.tokens.admin,
      payload: { passes: [order.passes?.[0]?.id], reason: 'Not ours', refund_key: randomUUID() },
    });
    expect(back.json(), back.body).toMatchObject({ refund: { amount: 25 } });
    expect((await orderOf(order.vanity_id ?? '')).passes?.[0]?.order_key).toBe(null);
  });
});

describe('photos included with registration', () => {
  test('cost nothing, the most expensive first, are on the receipt, and are counted', async () => {
    const maya = await addChild();
    const photos = await addPhotosOf(maya, 4);
    expect((await give(3)).json()).toEqual({ given: 1 });
    const cookie = await openCard(server, host, maya);
    const family = await server.call({ method: 'GET', url: '/api/v1/family/photos', headers: { host, cookie } });
    expect(family.json()).toMatchObject({ included: { photos: 3, left: 3, text: '3 photos are included. 3 left.' } });
    expect(await priceOf({ photos })).toMatchObject({ subtotal: 14 });
    expect(await priceOf({ photos, cookie })).toMatchObject({
      subtotal: 4,
      pricing: [
        { text: 'Included with registration: 3 photos', amount: 0 },
        { text: '1 photo at $4.00', amount: 4 },
      ],
    });
    const order = await buy({ photos, cookie }, 4);
    expect(order.pricing).toEqual([
      { text: 'Included with registration: 3 photos', amount: 0 },
      { text: '1 photo at $4.00', amount: 4 },
    ]);
    expect(await server.data.ownerQuery('select used from allowances where athlete_id = $1', [maya.athleteId])).toEqual(
      [{ used: 3 }],
    );
    expect(await priceOf({ photos, cookie })).toMatchObject({ subtotal: 14 });
    await expectBooksRight();
  });

  test('are free to order when nothing else is in the cart, also without a price sheet', async () => {
    const maya = await addChild();
    await server.data.ownerQuery('update galleries set price_sheet_id = null where id = $1', [galleryId]);
    const photos = await addPhotosOf(maya, 2);
    await give(5);
    const cookie = await openCard(server, host, maya);
    const order = await buy({ photos, cookie }, 0);
    expect(order).toMatchObject({
      status: 'paid',
      pricing: [{ text: 'Included with registration: 2 photos', amount: 0 }],
    });
  });

  test('are given back by an order that fails', async () => {
    const maya = await addChild();
    const photos = await addPhotosOf(maya, 2);
    await give(1);
    const cookie = await openCard(server, host, maya);
    const declined = await place({ photos, cookie, card: '4000000000000002' }, 4);
    expect(declined.statusCode).toBe(402);
    expect(await server.data.ownerQuery('select used from allowances where athlete_id = $1', [maya.athleteId])).toEqual(
      [{ used: 0 }],
    );
    await buy({ photos, cookie }, 4);
  });

  test('are not used twice by two orders at the same time', async () => {
    const maya = await addChild();
    const photos = await addPhotosOf(maya, 3);
    await give(4);
    const cookie = await openCard(server, host, maya);
    const lock = `select from allowances where athlete_id = ${maya.athleteId} for update`;
    const answers = await meetAtLock(server.data, { lock, sessions: 2 }, () =>
      Promise.all([place({ photos, cookie }, 0), place({ photos, cookie }, 0)]),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await server.data.ownerQuery('select used from allowances where athlete_id = $1', [maya.athleteId])).toEqual(
      [{ used: 3 }],
    );
  });

  test('are given by members to everyone on a team, changed, and never reduced below what was used', async () => {
    const [maya] = [await addChild(), await addChild({ firstName: 'Leo', number: '7' })];
    expect((await give(5)).json()).toEqual({ given: 2 });
    expect((await give(2, { athlete_ids: [maya.athleteId] })).json()).toEqual({ given: 1 });
    const photos = await addPhotosOf(maya, 2);
    await buy({ photos, cookie: await openCard(server, host, maya) }, 0);
    expect((await give(1)).statusCode).toBe(409);
    expect((await give(1, {}, people.tokens.neighbor)).statusCode).toBe(404);
    expect(
      (await server.call({ method: 'POST', url: `/api/v1/teams/${teamId}/allowances`, payload: { photos: 1 } }))
        .statusCode,
    ).toBe(401);
    expect((await give(0, { ends_on: 'soon', athlete_ids: [1] })).statusCode).toBe(422);
    expect((await give(9, { athlete_ids: [1], sheet_id: 1 })).json()).toMatchObject({
      errors: { athlete_ids: expect.any(Array), sheet_id: expect.any(Array) },
    });
  });
});

test('two children of two teams are one cart, one order and one bundle (B5)', async () => {
  const maya = await addChild();
  const others = { id: await addTeam(server, organizationId, 'Tides U10'), organizationId };
  const leo = await addCarded(server, others, { firstName: 'Leo', number: '7' });
  const cookie = await openCard(server, host, leo, await openCard(server, host, maya));
  const photos = [...(await addPhotosOf(maya, 2)), ...(await addPhotosOf(leo, 3))];
  const order = await buy({ photos, cookie }, 15);
  expect(order.pricing).toEqual([{ text: 'Any 5 for $15.00, 5 photos', amount: 15 }]);
});

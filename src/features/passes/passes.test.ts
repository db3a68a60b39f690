/** Passes: sold alone or with photos, what they open today and tomorrow, and when they are not sold. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { WithdrawnSales } from '#src/features/consent/consent.contract.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { PHOTO_WITHDRAWN } from '#src/features/orders/withdrawn.contract.ts';
import type { PassPhotosAnswer } from '#src/features/passes/passes.contract.ts';
import { createReportCheck } from '#src/features/reports/reports.service.ts';
import { addAthlete, addTeam, tag } from '#tests/support/consent-rows.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, payWith } from '#tests/support/payer.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '100' } });
let people: Neighborhood;
let galleryId: number;
let photoIds: number[];

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
    name: 'Cup final',
    price_per_photo: 4,
  });
  photoIds = await addPhotos(['Kick', 'Save']);
  const offers = [{ id: 1, kind: 'gallery_pass' as const, priceCents: 1000 }];
  await useSheet(
    server.data,
    { sellerId: people.hawks.id, galleryId },
    { offers, ownPricesTakePart: false, earlyBird: null },
  );
});

async function addPhotos(names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push((await addPhoto(server, people.tokens.owner, galleryId, { name })).id);
  await untilDecided(server, people.tokens.owner, galleryId, ids);
  return ids;
}

let orders = 0;
type Wish = { email?: string; photos?: number[]; passes?: object[]; subtotal?: number };

async function place({ email = `fan${orders}@families.test`, photos = [], subtotal = 10, ...wish }: Wish = {}) {
  const user = { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '55401' };
  const payload = {
    order: {
      user,
      donation: '',
      taxes: 0,
      subtotal,
      org_id: people.hawks.id,
      checkout_key: `pass-test-${++orders}-of-${process.pid}`,
    },
    stripe_token: await payWith(server),
    items: photos.map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
    passes: wish.passes ?? [{ kind: 'gallery_pass', gallery_id: galleryId }],
  };
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  return {
    status: answer.statusCode,
    body: answer.json<{ vanity_id: string; error: string; errors: Record<string, string[]> }>(),
  };
}

async function buy(wish: Wish = {}): Promise<string> {
  const { status, body } = await place(wish);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.vanity_id;
}

const get = (url: string) => server.call({ method: 'GET', url });
const orderOf = async (vanityId: string) => (await get(`/api/v1/orders/${vanityId}`)).json<OrderAnswer>();
async function passOf(vanityId: string) {
  const [pass] = (await orderOf(vanityId)).passes ?? [];
  if (!pass) throw new Error('there is no pass');
  return pass;
}
const photosOf = async (vanityId: string, query = '') =>
  get(`/api/v1/orders/${vanityId}/passes/${(await passOf(vanityId)).id}/photos${query}`);
const idsOf = async (vanityId: string) =>
  (await photosOf(vanityId)).json<PassPhotosAnswer>().photos.map(({ id }) => id);
const picture = (gallery: number, photoId: number, key: string | null) =>
  get(`/api/v1/galleries/${gallery}/gallery_photos/${photoId}?size=640&download=true&orderkey=${key}`);
async function namesInZip(vanityId: string, query: string): Promise<string[]> {
  const zip = await get(`/api/v1/orders/${vanityId}/download.zip?${query}`);
  expect(zip.statusCode, query).toBe(200);
  // The names from its list of files.
  return [...zip.rawPayload.toString('latin1').matchAll(/^(.+\.jpg)\t\d+ bytes\r$/gm)].map(([, name = '']) => name);
}

describe('a gallery pass', () => {
  test('is sold alone, and opens what is in the gallery today and what comes later', async () => {
    const vanityId = await buy();
    const { photo_count: count, until, order_key: key, id, ...pass } = await passOf(vanityId);
    expect(pass).toMatchObject({
      kind: 'gallery_pass',
      name: 'The whole gallery “Cup final”',
      new_since_download: count,
    });
    expect(pass.text).toBe(
      `${count} photos today. New ones appear here until ${until.replace(/(....)-(..)-(..)/, '$2.$3.$1')}.`,
    );
    expect(await idsOf(vanityId)).toEqual(expect.arrayContaining(photoIds));
    expect(await orderOf(vanityId)).toMatchObject({
      subtotal: 10,
      order_photo: [],
      pricing: [{ text: 'The whole gallery “Cup final”', amount: 10 }],
    });
    expect((await picture(galleryId, photoIds[0] ?? 0, key)).statusCode).toBe(200);

    expect(await namesInZip(vanityId, `pass=${id}`)).toHaveLength(count);
    expect((await passOf(vanityId)).new_since_download).toBe(0);
    const [late = 0] = await addPhotos(['Late goal']);
    expect(await passOf(vanityId)).toMatchObject({ photo_count: count + 1, new_since_download: 1 });
    expect((await idsOf(vanityId))[0]).toBe(late);
    expect((await picture(galleryId, late, key)).statusCode).toBe(200);
    expect(await namesInZip(vanityId, `pass=${id}&new=true`)).toEqual(['Late goal.jpg']);
    expect((await get(`/api/v1/orders/${vanityId}/download.zip?pass=${id}&new=true`)).statusCode).toBe(404);
    expect(await namesInZip(vanityId, '')).toHaveLength(count + 1);

    await server.data.ownerQuery('update photos set withheld_at = now() where id = $1', [late]);
    expect((await passOf(vanityId)).photo_count).toBe(count);
    expect(await idsOf(vanityId)).not.toContain(late);
    expect((await picture(galleryId, late, key)).statusCode).toBe(404);
    expect(await namesInZip(vanityId, `pass=${id}`)).toHaveLength(count);
  });

  test('of an unrelated buyer names a photo that a family withdrew, and members are asked about a refund, once for the pass', async () => {
    const [one = 0, two = 0, stays = 0, held = 0] = await addPhotos(['One', 'Two', 'Stays', 'Never shown']);
    const away = [one, two];
    const vanityId = await buy({ photos: [one] });
    const { order_key: key } = await passOf(vanityId);
    await server.data.ownerQuery('update photos set show_in_gallery = false where id = $1', [held]);
    const child = await addAthlete(server, people.hawks.id, { consent: 'yes' });
    await tag(
      server,
      people.hawks.id,
      [...away, held].map((photoId) => ({ photoId, athleteId: child })),
    );
    const say = (consent: 'yes' | 'no') =>
      server.call({
        method: 'PUT',
        url: `/api/v1/athletes/${child}`,
        as: people.tokens.owner,
        payload: { athlete: { consent } },
      });
    const url = `/api/v1/affiliates/${people.hawks.id}/withdrawn_sales`;
    const salesOf = async () =>
      (await server.call({ method: 'GET', url, as: people.tokens.owner }))
        .json<WithdrawnSales>()
        .sales.filter((sale) => sale.pass !== null || sale.photo_id === one);
    const { id: orderId } = await orderOf(vanityId);
    await say('no');
    for (const id of away) {
      const answer = await picture(galleryId, id, key);
      expect([answer.statusCode, answer.body]).toEqual([410, expect.stringContaining(PHOTO_WITHDRAWN)]);
    }
    expect((await picture(galleryId, stays, key)).statusCode).toBe(200);
    expect((await picture(galleryId, held, key)).statusCode).toBe(404);
    const [own, ...others] = (await salesOf()).filter((sale) => sale.order_id === orderId);
    expect([own, others]).toMatchObject([
      { photo_id: null, gallery_id: null, pass: 'The whole gallery “Cup final”', photos: 2, price: 10 },
      [],
    ]);
    await say('yes');
    expect(await salesOf()).toEqual([]);
    expect((await picture(galleryId, two, key)).statusCode).toBe(200);
    await server.data.ownerQuery(
      "insert into athlete_families (athlete_id, organization_id, email, source) select $1, $2, email_address, 'import' from orders where id = $3",
      [child, people.hawks.id, orderId],
    );
    await say('no');
    expect((await salesOf()).filter((sale) => sale.order_id === orderId)).toEqual([]);
    await say('yes');
  });

  test('opens nothing of another gallery, and nothing that came after its last day', async () => {
    const vanityId = await buy();
    const { order_key: key } = await passOf(vanityId);
    const other = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Other' });
    const { id } = await addPhoto(server, people.tokens.owner, other, { name: 'Else' });
    await untilDecided(server, people.tokens.owner, other, [id]);
    expect((await picture(other, id, key)).statusCode).toBe(404);
    expect((await picture(galleryId, id, key)).statusCode).toBe(404);
    await server.data.ownerQuery(
      `update passes set valid_until = current_date - 2 where order_id = (select id from orders where vanity_id = $1)`,
      [vanityId],
    );
    await server.data.ownerQuery(`update photos set created_at = now() - interval '9 days' where id = $1`, [
      photoIds[0],
    ]);
    expect(await idsOf(vanityId)).toEqual([photoIds[0]]);
    expect((await picture(galleryId, photoIds[0] ?? 0, key)).statusCode).toBe(200);
    expect((await picture(galleryId, photoIds[1] ?? 0, key)).statusCode).toBe(404);
  });

  test('still works when its gallery gets a password or is deleted', async () => {
    const vanityId = await buy();
    const { order_key: key } = await passOf(vanityId);
    for (const change of ['password_required = true, is_private = true', 'active = false']) {
      await server.data.ownerQuery(`update galleries set ${change} where id = $1`, [galleryId]);
      expect((await picture(galleryId, photoIds[0] ?? 0, key)).statusCode, change).toBe(200);
    }
    await server.data.ownerQuery(
      'update galleries set password_required = false, is_private = false, active = true where id = $1',
      [galleryId],
    );
  });

  test('includes photos of the cart, which the buyer keeps by their own keys', async () => {
    const sold = () =>
      server.data.ownerQuery('select photos_sold as photos, sales_cents as cents from galleries where id = $1', [
        galleryId,
      ]);
    const [before] = await sold();
    const vanityId = await buy({ photos: photoIds });
    const order = await orderOf(vanityId);
    expect(order.order_photo).toHaveLength(2);
    const [now] = await sold();
    expect(now).toEqual({ photos: Number(before?.['photos']) + 2, cents: Number(before?.['cents']) + 1000 });
    const hidden = order.order_photo[0];
    await server.data.ownerQuery('update photos set show_in_gallery = false where id = $1', [hidden?.photo.id]);
    expect(await idsOf(vanityId)).not.toContain(hidden?.photo.id);
    expect((await picture(galleryId, hidden?.photo.id ?? 0, hidden?.order_key ?? '')).statusCode).toBe(200);
    await server.data.ownerQuery('update photos set show_in_gallery = true where id = $1', [hidden?.photo.id]);
  });

  test('lists its photos page by page, each once', async () => {
    const vanityId = await buy();
    const { photo_count: count } = await passOf(vanityId);
    const seen: number[] = [];
    for (let after = ''; ;) {
      const page = (await photosOf(vanityId, `?limit=1&after=${after}`)).json<PassPhotosAnswer>();
      seen.push(...page.photos.map(({ id }) => id));
      if (page.next === null) break;
      after = page.next;
    }
    expect(new Set(seen).size).toBe(count);
    expect((await photosOf(vanityId, '?after=nonsense')).statusCode).toBe(422);
    const other = await buy();
    expect((await get(`/api/v1/orders/${other}/passes/${(await passOf(vanityId)).id}/photos`)).statusCode).toBe(404);
  });

  test('is closed by a full refund', async () => {
    const vanityId = await buy();
    const { order_key: key, id } = await passOf(vanityId);
    const refund = { reason: 'A wrong team', refund_key: randomUUID() };
    const url = `/api/v1/orders/${vanityId}/refunds`;
    expect((await server.call({ method: 'POST', url, as: people.tokens.admin, payload: refund })).statusCode).toBe(201);
    expect((await passOf(vanityId)).order_key).toBeNull();
    expect((await picture(galleryId, photoIds[0] ?? 0, key)).statusCode).toBe(404);
    expect((await photosOf(vanityId)).statusCode).toBe(404);
    expect((await get(`/api/v1/orders/${vanityId}/download.zip?pass=${id}`)).statusCode).toBe(404);
  });
});

describe('a pass is not sold', () => {
  const ALREADY = (vanityId: string) => `You already have this pass (order ${vanityId.slice(0, 4)}…).`;

  test('that the buyer already has; the receipt is sent to that address only', async () => {
    const vanityId = await buy({ email: 'Grace@families.test' });
    const again = await place({ email: 'grace@Families.test' });
    expect(again).toMatchObject({
      status: 409,
      body: { error: ALREADY(vanityId), errors: {} },
    });
    const sent = await server.data.ownerQuery(
      "select recipient from mail_outbox where dedupe_key like 'receipt-again:%' and body_text like '%' || $1 || '%'",
      [vanityId],
    );
    expect(sent).toEqual([{ recipient: 'Grace@families.test' }]);
    expect(JSON.stringify(again.body)).not.toContain(vanityId);
  });

  test('twice in two orders at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => place({ email: 'twins@families.test' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test('of a private, locked or unknown gallery, or of another organization', async () => {
    const gone = { error: 'A photo in your cart is no longer available.' };
    const update = (what: string) => server.data.ownerQuery(`update galleries set ${what} where id = $1`, [galleryId]);
    await update('is_private = true');
    expect(await place()).toMatchObject({ status: 422, body: gone });
    await update('is_private = false, password_required = true');
    expect(await place()).toMatchObject({ status: 422, body: gone });
    await update('password_required = false');
    const foreign = await openGallery(server, people.tokens.neighbor, people.tides.id, { name: 'Theirs' });
    for (const passes of [[{ kind: 'gallery_pass', gallery_id: foreign }], [{ kind: 'gallery_pass' }]])
      expect(await place({ passes }), JSON.stringify(passes)).toMatchObject({
        status: 422,
        body: { errors: { passes: [gone.error] } },
      });
  });

  test('as an empty cart', async () => {
    expect(await place({ passes: [], subtotal: 0 })).toMatchObject({
      status: 422,
      body: { errors: { items: ['You have no items in your cart.'] } },
    });
  });
});

test('members are told when most photos of a pass were taken down within thirty days', async () => {
  const { owner } = people.tokens;
  const other = await openGallery(server, owner, people.hawks.id, { name: 'Lost', price_per_photo: 4 });
  const organizationId = people.hawks.id;
  const ids: number[] = [];
  for (const name of ['One', 'Two', 'Three'])
    ids.push(await addReadyPhoto(server, { id: other, organizationId }, { name }));
  const offers = [{ id: 1, kind: 'gallery_pass' as const, priceCents: 1000 }];
  const content = { offers, ownPricesTakePart: false, earlyBird: null };
  await useSheet(server.data, { sellerId: organizationId, galleryId: other }, content);
  const vanityId = await buy({ passes: [{ kind: 'gallery_pass', gallery_id: other }] });
  const isLost = async () => {
    const hawks = { id: organizationId, parentOrganizationId: people.parent.id, timeZone: 'America/New_York' };
    const caller = await callerOf(server, owner);
    const { orders } = await server.app.refundLists.ofOrganization(caller, hawks, { search: vanityId });
    return orders[0]?.lostPass;
  };
  await server.data.ownerQuery("update photos set removed_at = now() + interval '1 second' where id = $1", [ids[0]]);
  expect(await isLost()).toBe(false);
  await server.data.ownerQuery("update photos set withheld_at = now() + interval '31 days' where id = $1", [ids[1]]);
  expect(await isLost()).toBe(false);
  await server.data.ownerQuery("update photos set withheld_at = now() + interval '29 days' where id = $1", [ids[1]]);
  expect(await isLost()).toBe(true);
  // Of a number: two were taken down, and one moved to another gallery of the price sheet, where the pass has it.
  const asLast = 'organization_id = $1 and id = (select max(id) from passes where organization_id = $1)';
  const teamId = await addTeam(server, organizationId);
  await server.data.ownerQuery(
    `update passes set kind = 'athlete_pass', gallery_id = null, team_id = $2, number = '7', sheet_id = (select price_sheet_id from galleries where id = $3) where ${asLast}`,
    [organizationId, teamId, other],
  );
  for (const name of ['Four', 'Five']) ids.push(await addReadyPhoto(server, { id: other, organizationId }, { name }));
  await server.data.ownerQuery("update photos set created_at = now() - interval '1 day' where id = any ($1)", [ids]);
  await tag(
    server,
    organizationId,
    ids.map((photoId) => ({ photoId, teamId, number: '7' })),
  );
  expect(await isLost()).toBe(false);
  const moved = "update photos set removed_at = now() + interval '1 second', moved_to_id = $2 where id = $1";
  await server.data.ownerQuery(moved, [ids[2], null]);
  expect(await isLost()).toBe(true);
  await server.data.ownerQuery(moved, [ids[2], ids[3]]);
  expect(await isLost()).toBe(false);
});

test('after all of these tests the books and the counters agree', async () => {
  await buy({ photos: photoIds });
  const wrong = await checkInvariants({ database: server.platform.database, sandboxCards: true });
  // Some photos have no files.
  expect(wrong.filter((line) => !line.startsWith('I7:'))).toEqual([]);
  expect(await createReportCheck(server.platform).differences()).toEqual([]);
});

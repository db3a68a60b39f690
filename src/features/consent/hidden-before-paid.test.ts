/**
 * A consent that hides a photo while its payment is pending (decision record 0118): unrelated buyers get nothing of it,
 * and are refunded.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import {
  PHOTO_NOT_AVAILABLE,
  placeOrderBody,
  type OrderAnswer,
  type PlaceOrderBody,
} from '#src/features/orders/orders.contract.ts';
import { notSold } from '#src/features/orders/withdrawn.contract.ts';
import { OWN_ACCOUNT_WITHOUT_KEYS } from '#src/features/refunds/refunds.contract.ts';
import { createApp } from '#src/app.ts';
import type { ChargeOutcome, PaymentProvider } from '#src/platform/payments/payments.ts';
import { openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { addAthlete, tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard } from '#tests/support/family-cards.ts';
import { HAWKS_FALL } from '#tests/support/price-sheets.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { appWith, callerOf, chargesOf, payWith, setOwnAccount } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let organizationId: number;
let sale: ForSale;
let maya: number;
/** The photo with Maya on it, and two without her. */
let hers: number;
let orders = 0;

beforeEach(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
  sale = await openSale(server, people.tokens.owner, organizationId, { photos: 3 });
  hers = sale.photoIds[0] ?? 0;
  maya = await addAthlete(server, organizationId, { consent: 'yes' });
  await tag(server, organizationId, [{ photoId: hers, athleteId: maya }]);
});

const say = (consent: Consent, athleteId = maya) =>
  server.data.database.write({ kind: 'tenants', organizationIds: [organizationId] }, (tx) =>
    server.app.consent.changeConsent(tx, { organizationId, athleteId, consent, by: 'member' }),
  );

async function payloadOf(
  photoIds: readonly number[],
  { price = 4, donation = '', pass = null }: { price?: number; donation?: string; pass?: number | null } = {},
) {
  const user = { first_name: 'Ann', last_name: 'Buyer', email: 'ann@buyers.test', zip: '55401' };
  return {
    order: {
      user: { ...user, confirm_email: user.email },
      donation,
      taxes: 0,
      subtotal: pass ?? photoIds.length * price,
      org_id: organizationId,
      donation_gallery_id: donation === '' ? null : sale.galleryId,
      checkout_key: `hidden-before-paid-${process.pid}-${++orders}`,
    },
    stripe_token: price === 0 ? null : await payWith(server),
    items: photoIds.map((id) => ({ id, gallery_id: sale.galleryId, sales_price: price })),
    passes: pass === null ? [] : [{ kind: 'gallery_pass', gallery_id: sale.galleryId }],
  };
}
/** As the route passes it on. */
const bodyOf = async (...wanted: Parameters<typeof payloadOf>) => placeOrderBody.parse(await payloadOf(...wanted));

/** Buys with a provider that does something during the charge. */
async function buy(body: PlaceOrderBody, faults: Partial<PaymentProvider> = {}) {
  return appWith(server, faults).orders.place(await callerOf(server, null), body);
}
const hidingBefore = (consent: Consent): Partial<PaymentProvider> => ({
  charge: async (request) => {
    await say(consent);
    return server.platform.payments.charge(request);
  },
});
const hidingAfter = (consent: Consent): Partial<PaymentProvider> => ({
  charge: async (request) => {
    const outcome = await server.platform.payments.charge(request);
    await say(consent);
    return outcome;
  },
});

const read = async (vanityId: string) =>
  (await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` })).json<OrderAnswer>();
/** The photos whose downloads are available. */
const openOf = ({ order_photo: lines }: OrderAnswer) =>
  lines.filter((line) => line.order_key !== null).map((line) => line.photo.id);
/** The photos whose price can be asked back. */
const paidOf = ({ order_photo: lines }: OrderAnswer) =>
  lines.filter((line) => line.refundable).map((line) => line.photo.id);
/** Runs the due jobs like the worker, and once more as after a crash. */
async function refundHidden(): Promise<void> {
  const jobs = await server.data.ownerQuery<{ data: { orderId: number; photoIds: number[] } }>(
    "select data from pgboss.job where name = 'order.give_back_hidden'",
  );
  for (let times = 0; times < 2; times++)
    for (const { data } of jobs) await server.app.refunds.refundHidden(data.orderId, data.photoIds);
}
async function expectRefund(vanityId: string, amount: number): Promise<void> {
  await refundHidden();
  expect(await read(vanityId)).toMatchObject({ refunded: amount });
}
async function keyOf(vanityId: string, photoId: number): Promise<string> {
  const [row] = await server.data.ownerQuery<{ key: string }>(
    'select order_key as key from order_photos l join orders o on o.id = l.order_id where o.vanity_id = $1 and l.photo_id = $2',
    [vanityId, photoId],
  );
  return row?.key ?? '';
}
const fetchIt = async (vanityId: string, photoId = hers) =>
  (
    await server.call({
      method: 'GET',
      url: `/api/v1/galleries/${sale.galleryId}/gallery_photos/${photoId}?download=true&orderkey=${await keyOf(vanityId, photoId)}`,
    })
  ).statusCode;
const receiptsOf = async (vanityId: string) =>
  (
    await server.data.ownerQuery<{ body_text: string }>('select body_text from mail_outbox where dedupe_key = $1', [
      `receipt-${vanityId}`,
    ])
  ).map(({ body_text }) => body_text);
/** These photos have no files (I7). */
const expectSound = async () =>
  expect(
    (await checkInvariants({ database: server.data.database, sandboxCards: true })).filter(
      (line) => !line.startsWith('I7'),
    ),
  ).toEqual([]);

describe.each<Consent>(['no', 'family'])('a photo that "%s" hides', (consent) => {
  test.each([
    ['before the card is charged', hidingBefore],
    ['between the charge and its booking', hidingAfter],
  ])('%s is not delivered, its price is refunded, and the other photos stay', async (_when, hiding) => {
    const { vanity_id: vanityId, status } = await buy(await bodyOf(sale.photoIds), hiding(consent));
    expect(status).toBe('paid');
    const order = await read(vanityId);
    expect(openOf(order)).toEqual(sale.photoIds.slice(1));
    // Its buyer is not told to ask for the money, because it goes back without being asked for.
    expect(paidOf(order)).toEqual(sale.photoIds.slice(1));
    expect(await fetchIt(vanityId)).toBeOneOf([404, 410]);
    await expectRefund(vanityId, 4);
    expect(await chargesOf(server)).toContainEqual({ amount: 1200, refunded: 400 });
    const [receipt] = await receiptsOf(vanityId);
    expect(receipt).toContain(notSold(1, { isPaid: true }));
    expect(receipt).toContain('Your images are ready');
    await expectSound();
    // A later "yes" brings nothing back, because it was refunded.
    await say('yes');
    expect(openOf(await read(vanityId))).toEqual(sale.photoIds.slice(1));
  });

  test('in an order on the seller’s own card account is refunded there, as soon as its keys are here', async () => {
    await setOwnAccount(server, organizationId, { hasKeys: true });
    const { vanity_id: vanityId } = await buy(await bodyOf(sale.photoIds), hidingAfter(consent));
    await setOwnAccount(server, organizationId, { hasKeys: false });
    await expect(refundHidden()).rejects.toMatchObject({ code: 'conflict', message: OWN_ACCOUNT_WITHOUT_KEYS });
    expect(await read(vanityId)).toMatchObject({ refunded: 0 });
    await setOwnAccount(server, organizationId, { hasKeys: true });
    await expectRefund(vanityId, 4);
    expect(await chargesOf(server)).toContainEqual({ amount: 1200, refunded: 400 });
    await expectSound();
  });

  test('during 3-D Secure is not delivered either, when only the recovery job learns of the payment', async () => {
    const body = await bodyOf([hers], { donation: '$5.00' });
    let told: ChargeOutcome | null = null;
    const asks: Partial<PaymentProvider> = {
      charge: async (request) => {
        told = await server.platform.payments.charge(request);
        const { chargeId } = told as { chargeId: string };
        return { state: 'requires_action', chargeId, clientSecret: 'secret' };
      },
    };
    const placed = await buy(body, asks);
    expect(placed).toMatchObject({ status: 'pending' });
    await say(consent);
    await server.data.ownerQuery(
      "update payment_attempts set created_at = now() - interval '1 minute' where state = 'sent'",
    );
    await server.app.orders.sweep();
    // All photos are gone; the donation is kept.
    await expectRefund(placed.vanity_id, 4);
    expect(openOf(await read(placed.vanity_id))).toEqual([]);
    const [receipt] = await receiptsOf(placed.vanity_id);
    expect(receipt).toContain(notSold(1, { isPaid: true }));
    expect(receipt).not.toContain('ready');
    await expectSound();
  });

  test('that a pass covers costs nothing itself: the email promises no refund, and none is made', async () => {
    await useSheet(server.data, { sellerId: organizationId, galleryId: sale.galleryId }, HAWKS_FALL.content);
    const body = await bodyOf([hers, sale.photoIds[1] ?? 0], { pass: 40 });
    const { vanity_id: vanityId } = await buy(body, hidingAfter(consent));
    const order = await read(vanityId);
    expect(order).toMatchObject({ subtotal: 40, passes: [{ kind: 'gallery_pass', photo_count: 2 }] });
    expect(openOf(order)).toEqual(sale.photoIds.slice(1, 2));
    expect(paidOf(order)).toEqual([]);
    await expectRefund(vanityId, 0);
    const [receipt] = await receiptsOf(vanityId);
    expect(receipt).toContain(notSold(1, { isPaid: false }));
    expect(receipt).not.toContain('goes back');
    await expectSound();
  });

  test('between the pricing and the storing of a free order cancels the order', async () => {
    await server.data.ownerQuery('update galleries set price_cents = 0 where id = $1', [sale.galleryId]);
    const { limits } = server.platform;
    const take: typeof limits.take = async (limit) => {
      if (limit.bucket.startsWith('free receipts:hour')) await say(consent);
      return limits.take(limit);
    };
    const app = createApp({ ...server.platform, limits: { ...limits, take } });
    const placing = app.orders.place(await callerOf(server, null), await bodyOf([hers], { price: 0 }));
    await expect(placing).rejects.toMatchObject({ code: 'invalid', message: PHOTO_NOT_AVAILABLE });
    expect(await server.data.ownerQuery('select from orders where organization_id = $1', [organizationId])).toEqual([]);
    await expectSound();
  });
});

test('for each of ten buyers during a "no", the photo is withdrawn or members are asked about a refund', async () => {
  const bodies = await Promise.all(Array.from({ length: 10 }, () => bodyOf([hers])));
  const app = appWith(server, {});
  const caller = await callerOf(server, null);
  const placing = bodies.map((body) => app.orders.place(caller, body).catch(() => null));
  const [placed] = await Promise.all([Promise.all(placing), say('no')]);
  const bought = placed.flatMap((order) => (order?.status === 'paid' ? [order.vanity_id] : []));
  for (const vanityId of bought) {
    expect(openOf(await read(vanityId))).toEqual([]);
    expect(await fetchIt(vanityId)).toBeOneOf([404, 410]);
  }
  const { sales } = await server.app.consentOffice.withdrawnSales(
    await callerOf(server, people.tokens.owner),
    organizationId,
  );
  const [{ closed } = { closed: -1 }] = await server.data.ownerQuery<{ closed: number }>(
    'select count(*)::int as closed from order_photos where photo_id = $1 and revoked_at is not null',
    [hers],
  );
  expect(sales.length + closed).toBe(bought.length);
  await refundHidden();
  const [{ back } = { back: -1 }] = await server.data.ownerQuery<{ back: number }>(
    'select count(*)::int as back from orders o join order_photos l on l.order_id = o.id where l.photo_id = $1 and o.refunded_cents = 400',
    [hers],
  );
  expect(back).toBe(closed);
  await expectSound();
});

describe('the child’s own family', () => {
  test('keeps what it bought with its card when the consent says "family"', async () => {
    const host = `${people.parent.path}.sideline.localhost:3000`;
    const team = { id: await addTeam(server, organizationId), organizationId };
    const child = await addCarded(server, team, { consent: 'family' });
    const [, second = 0] = sale.photoIds;
    await tag(server, organizationId, [{ photoId: second, athleteId: child.athleteId }]);
    const cookie = await openCard(server, host, { code: child.code });
    const order = async () => {
      const payload = await payloadOf([second]);
      const answer = await server.call({ method: 'POST', url: '/api/v1/orders', headers: { host, cookie }, payload });
      return answer.json<{ vanity_id: string }>().vanity_id;
    };
    expect(openOf(await read(await order()))).toEqual([second]);
    const stranger = await buy(await bodyOf([second])).catch((refusal: unknown) => refusal);
    expect(stranger).toMatchObject({ message: PHOTO_NOT_AVAILABLE });
  });

  test('known by its address keeps a photo that becomes "family" while it pays', async () => {
    await server.data.ownerQuery(
      "insert into athlete_families (athlete_id, organization_id, email, source) values ($1, $2, 'ann@buyers.test', 'import')",
      [maya, organizationId],
    );
    const { vanity_id: vanityId } = await buy(await bodyOf([hers]), hidingAfter('family'));
    expect(openOf(await read(vanityId))).toEqual([hers]);
  });
});

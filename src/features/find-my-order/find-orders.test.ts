/** Finding orders again: `POST /api/v1/orders/find`, `…/{vanity_id}/receipt`, `…/standing`. */
import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import * as words from '#src/features/find-my-order/find-orders.contract.ts';
import { EMAIL_NOT_VALID, EMAIL_REQUIRED, ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import { startJobs } from '#src/jobs.ts';
import { checkoutClient } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db, { limitFactor: 1 });
const { post, order, card } = checkoutClient(rig, db);
let shop: Shop;

beforeAll(async () => {
  shop = await openShop(db, { taxId: '84-5512077' });
  await startJobs(rig.jobs, { app: { findOrders: rig.findOrders } } as never, 'order.find');
});

type Email = { recipient: string; subject: string; body_text: string; html: string };
const sentEmails = (to: string, like = '%') =>
  db.ownerQuery<Email>(
    'select recipient, subject, body_text, html from mail_outbox where recipient = $1 and dedupe_key like $2 order by id',
    [to, like],
  );

async function buy(email: string, changes: Record<string, unknown> = {}): Promise<string> {
  const placed = await order(cartOf(shop, { token: await card(), user: { email, confirm_email: email }, ...changes }));
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return placed.body.vanity_id;
}

async function foundEmails(to: string, count: number): Promise<Email[]> {
  let found: Email[] = [];
  const look = async () => (found = await sentEmails(to, 'orders-found:%')).length;
  await expect.poll(look).toBeGreaterThanOrEqual(count);
  return found;
}

describe('find my order', () => {
  test('emails the links of everything that was bought with the address to that address', async () => {
    const [one, two] = [await buy('maria@families.test'), await buy('maria@families.test')];
    const other = await buy('somebody@families.test');
    const answer = await post('/api/v1/orders/find', { email: ' MARIA@families.test ' });
    expect([answer.status, answer.body]).toEqual([202, { message: words.ORDERS_MAIL_SENT }]);
    const [sentEmail] = await foundEmails('maria@families.test', 1);
    expect(sentEmail?.subject).toBe('Your 2 orders');
    for (const form of [sentEmail?.body_text, sentEmail?.html]) {
      expect(form).toContain(`/order/${one}`);
      expect(form).toContain(`/order/${two}`);
      expect(form).not.toContain(other);
    }
    expect(sentEmail?.body_text).toContain('3 photos · $12.00');
  });

  test('responds the same for an unknown address, and sends nothing', async () => {
    const answer = await post('/api/v1/orders/find', { email: 'nobody@families.test' });
    expect([answer.status, answer.body]).toEqual([202, { message: words.ORDERS_MAIL_SENT }]);
    // The worker processes emails in order: when the next one is there, this one was processed.
    await buy('anybody@families.test');
    await post('/api/v1/orders/find', { email: 'anybody@families.test' });
    expect(await foundEmails('anybody@families.test', 1)).toHaveLength(1);
    expect(await sentEmails('nobody@families.test')).toEqual([]);
  });

  test('leaves out orders that are too old, unpaid or failed, and shows refunds', async () => {
    const email = 'many@families.test';
    const [old, failed, refunded] = [await buy(email), await buy(email), await buy(email)];
    const set = (assignment: string, id: string) =>
      db.ownerQuery(`update orders set ${assignment} where vanity_id = $1`, [id]);
    await set("paid_at = now() - interval '25 months'", old);
    await set("status = 'failed'", failed);
    await set("status = 'refunded', refunded_cents = 1200", refunded);
    await rig.findOrders.sendFoundOrders(email);
    const [sentEmail] = await foundEmails(email, 1);
    expect(sentEmail?.body_text).toContain(`/order/${refunded}`);
    expect(sentEmail?.body_text).toContain('refunded');
    for (const id of [old, failed]) expect(sentEmail?.body_text).not.toContain(id);
  });

  test.each([
    ['', EMAIL_REQUIRED],
    [null, EMAIL_REQUIRED],
    [7, EMAIL_REQUIRED],
    ['maria', EMAIL_NOT_VALID],
    ['a@b.co\r\nBcc: c@d.co', EMAIL_NOT_VALID],
    [`${'x'.repeat(250)}@families.test`, EMAIL_NOT_VALID],
  ])('%j is refused', async (email, message) => {
    expect(await post('/api/v1/orders/find', { email })).toMatchObject({
      status: 422,
      body: { error: message, errors: { email: [message] } },
    });
  });

  test('sends an address three emails an hour, no matter who asks; the response stays the same (threat 31)', async () => {
    const email = 'bombed@families.test';
    await buy(email);
    const ask = async (sender: number) => {
      const caller = {
        actor: { kind: 'visitor' } as const,
        visitorId: null,
        unlocks: new Map(),
        ip: `198.51.100.${sender}`,
      };
      await rig.findOrders.askForOrders(caller, email);
    };
    for (let sender = 1; sender <= 12; sender++) await ask(sender);
    expect(await foundEmails(email, 3)).toHaveLength(3);
    await buy('last@families.test');
    await rig.findOrders.sendFoundOrders('last@families.test');
    expect(await sentEmails(email, 'orders-found:%')).toHaveLength(3);
  });

  test('makes a sender who tries many addresses wait', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++)
      statuses.push(
        (await post('/api/v1/orders/find', { email: `try${index}@families.test` }, '198.51.100.99')).status,
      );
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a receipt that is sent again', () => {
  test('goes to the buyer’s own address, three times an hour', async () => {
    const vanityId = await buy('again@families.test');
    for (let round = 0; round < 3; round++)
      expect(await post(`/api/v1/orders/${vanityId}/receipt`, {})).toMatchObject({
        status: 202,
        body: { message: words.RECEIPT_SENT },
      });
    expect((await post(`/api/v1/orders/${vanityId}/receipt`, {})).status).toBe(429);
    const all = await sentEmails('again@families.test');
    expect(all).toHaveLength(4);
    expect(all[3]?.body_text).toBe(all[0]?.body_text);
  });

  test('says that an order was refunded', async () => {
    const vanityId = await buy('refund@families.test');
    await db.ownerQuery("update orders set status = 'partially_refunded', refunded_cents = 400 where vanity_id = $1", [
      vanityId,
    ]);
    await post(`/api/v1/orders/${vanityId}/receipt`, {});
    expect((await sentEmails('refund@families.test', 'receipt-again:%'))[0]?.body_text).toContain('Refunded: −$4.00');
    await db.ownerQuery("update orders set status = 'refunded', refunded_cents = 1200 where vanity_id = $1", [
      vanityId,
    ]);
    await post(`/api/v1/orders/${vanityId}/receipt`, {});
    const [, sentEmail] = await sentEmails('refund@families.test', 'receipt-again:%');
    expect(sentEmail?.body_text).toContain('was refunded; its downloads are closed');
    expect(sentEmail?.body_text).not.toContain('ready');
  });

  test.each(['pending', 'failed'])('is not sent for a %s order', async (status) => {
    const vanityId = await buy(`${status}@families.test`);
    await db.ownerQuery('update orders set status = $2 where vanity_id = $1', [vanityId, status]);
    expect(await post(`/api/v1/orders/${vanityId}/receipt`, {})).toMatchObject({
      status: 409,
      body: { error: words.NO_RECEIPT_YET },
    });
  });

  test.each(['1', 'AAAAAAAAAAAAAAAAAAAAAA', '%27'])('is not found for %s', async (id) => {
    expect(await post(`/api/v1/orders/${id}/receipt`, {})).toMatchObject({
      status: 404,
      body: { error: ORDER_NOT_FOUND },
    });
  });
});

describe('the outcome of a checkout', () => {
  test('is returned to the browser that made its key, and not for a key that can be guessed', async () => {
    const browsers = '0123456789abcdef0123456789abcdef';
    expect((await post('/api/v1/orders/standing', { checkout_key: browsers })).body).toEqual({
      vanity_id: null,
      status: null,
    });
    const vanityId = await buy('key@families.test', { order: { checkout_key: browsers } });
    expect((await post('/api/v1/orders/standing', { checkout_key: browsers })).body).toEqual({
      vanity_id: vanityId,
      status: 'paid',
    });
    await buy('key2@families.test', { order: { checkout_key: 'program-key-number-1' } });
    expect((await post('/api/v1/orders/standing', { checkout_key: 'program-key-number-1' })).body).toEqual({
      vanity_id: null,
      status: null,
    });
    for (const checkout_key of [null, '', 'x', { a: 1 }, 'x'.repeat(5_000)])
      expect((await post('/api/v1/orders/standing', { checkout_key })).status).toBe(422);
  });
});

describe('receipts that cost their sender nothing', () => {
  test('are emailed to one address ten times an hour; the order’s page shows all of them', async () => {
    const free = await openShop(db, { priceCents: 0 });
    const victim = 'victim@families.test';
    const placed: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const answer = await order(
        cartOf(free, {
          price: 0,
          user: { email: victim, confirm_email: victim, first_name: 'http://evil.example', zip: null },
        }),
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      placed.push(answer.body.vanity_id);
    }
    const sent = await sentEmails(victim);
    expect(sent).toHaveLength(10);
    expect(sent.some(({ html }) => html.includes('evil.example'))).toBe(false);
    // Asking for one again uses the same limit of ten.
    expect((await post(`/api/v1/orders/${placed[11]}/receipt`, {})).status).toBe(429);
    expect(await sentEmails(victim)).toHaveLength(10);
    const other = 'other@families.test';
    await order(cartOf(free, { price: 0, user: { email: other, confirm_email: other, zip: null } }));
    expect(await sentEmails(other)).toHaveLength(1);
  });

  test('and those sent again leave the data consistent', async () => {
    const vanityId = await buy('once-more@families.test');
    // Other tests of this file change orders by hand.
    const before = await checkInvariants({ database: db.database, sandboxCards: true });
    expect((await post(`/api/v1/orders/${vanityId}/receipt`, {})).status).toBe(202);
    expect(await sentEmails('once-more@families.test', 'receipt-again:%')).toHaveLength(1);
    expect(await checkInvariants({ database: db.database, sandboxCards: true })).toEqual(before);
  });
});

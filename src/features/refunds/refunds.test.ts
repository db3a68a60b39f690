/** Refunds over HTTP: requested by members, given by platform admins, once, whatever fails. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import * as words from '#src/features/refunds/refunds.contract.ts';
import type { RefundOutcome } from '#src/platform/payments/payments.ts';
import { cents } from '#src/shared/money.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, appWith, POOR_CARD, setOwnAccount } from '#tests/support/payer.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 2, priceDollars: 4, name: 'Final' });
});

/** Two photos and a donation: $13.00. */
const buy = () => buyPhotos(server, [sale], { donation: '$5.00' });
const idOf = async (vanityId: string) =>
  (await server.data.ownerQuery<{ id: number }>('select id from orders where vanity_id = $1', [vanityId]))[0]?.id ?? 0;

type Reply = { status: number; body: Record<string, unknown> & { error?: string; errors?: Record<string, string[]> } };
async function send(method: 'POST' | 'PUT', url: string, as: string | null, payload: object): Promise<Reply> {
  const answer = await server.call({ method, url, as, payload });
  return { status: answer.statusCode, body: answer.json() };
}
const give = (order: string | number, body: object = {}, as: string | null = people.tokens.admin) =>
  send('POST', `/api/v1/orders/${order}/refunds`, as, { reason: 'A wrong photo', refund_key: randomUUID(), ...body });
const ask = (order: string | number, body: object = {}, as: string | null = people.tokens.owner) =>
  send('POST', `/api/v1/orders/${order}/refund_requests`, as, { reason: 'The buyer bought twice', ...body });

async function stateOf(vanityId: string) {
  const [row] = await server.data.ownerQuery<Record<string, unknown>>(
    `select o.status, o.refunded_cents as refunded,
            (select coalesce(sum(amount_cents), 0)::int from payment_attempts where order_id = o.id and kind = 'refund' and state = 'succeeded') as given,
            (select count(*)::int from payment_attempts where order_id = o.id and kind = 'refund' and state in ('sent', 'unknown')) as open,
            (select count(*)::int from order_photos where order_id = o.id and revoked_at is not null) as revoked,
            (select coalesce(sum(r.amount_cents), 0)::int from sandbox_provider.refunds r join payment_attempts c on c.provider_ref = r.charge_id where c.order_id = o.id) as there,
            (select count(*)::int from mail_outbox where recipient = o.email_address and dedupe_key like 'refund-%'
                and dedupe_key in (select 'refund-' || id from payment_attempts where order_id = o.id)) as emails
       from orders o where vanity_id = $1`,
    [vanityId],
  );
  return row;
}

/** These photos have no files. */
const violations = async () =>
  (await checkInvariants({ database: server.platform.database, sandboxCards: true })).filter(
    (line) => !line.startsWith('I7:'),
  );

afterAll(async () => {
  const lines = await violations();
  if (lines.length > 0) throw new Error(lines.join('\n'));
});

describe('a refund', () => {
  test('of a sale on the seller’s own card account needs its keys, and goes there', async () => {
    const { parent, tokens } = await settleAnother(server);
    const own = await openSale(server, tokens.parentMember, parent.id, { photos: 1, priceDollars: 4, name: 'Own' });
    await setOwnAccount(server, parent.id, { hasKeys: true });
    const vanityId = await buyPhotos(server, [own]);
    await setOwnAccount(server, parent.id, { hasKeys: false });
    const refused = await give(vanityId);
    expect([refused.status, refused.body.error]).toEqual([409, words.OWN_ACCOUNT_WITHOUT_KEYS]);
    expect(await stateOf(vanityId)).toMatchObject({ status: 'paid', refunded: 0, open: 0, there: 0, revoked: 0 });
    await setOwnAccount(server, parent.id, { hasKeys: true });
    expect((await give(vanityId)).status).toBe(201);
    expect(await stateOf(vanityId)).toMatchObject({ status: 'refunded', refunded: 400, there: 400, revoked: 1 });
  });

  test('of a part, then the rest: ledger, counters, downloads and the buyer’s emails follow', async () => {
    const vanityId = await buy();
    const first = await give(vanityId, { amount: 3.5 });
    expect([first.status, first.body['message'], first.body['refunded']]).toEqual([201, '$3.50 was refunded.', 3.5]);
    expect(await stateOf(vanityId)).toMatchObject({
      status: 'partially_refunded',
      refunded: 350,
      there: 350,
      revoked: 0,
      emails: 1,
    });
    const rest = await give(await idOf(vanityId));
    expect([rest.status, rest.body['message'], rest.body['refunded']]).toEqual([201, '$9.50 was refunded.', 13]);
    expect(await stateOf(vanityId)).toMatchObject({
      status: 'refunded',
      refunded: 1300,
      there: 1300,
      revoked: 2,
      emails: 2,
    });
    const emails = await server.data.ownerQuery<{ subject: string; body_text: string }>(
      `select subject, body_text from mail_outbox where dedupe_key like 'refund-%' order by id desc limit 2`,
    );
    expect(emails.map(({ subject }) => subject)).toEqual([
      'You’ve been refunded $9.50 for your order from hawks',
      'You’ve been refunded $3.50 for your order from hawks',
    ]);
    expect(emails[0]?.body_text).toContain('its downloads are closed');
    expect(emails[1]?.body_text).toContain(`/hawks/order/${vanityId}`);
    const again = await give(vanityId);
    expect([again.status, again.body.error]).toEqual([409, words.FULLY_REFUNDED]);
  });

  test('given six times at the same time never exceeds what was paid', async () => {
    const vanityId = await buy();
    const answers = await Promise.all(Array.from({ length: 6 }, () => give(vanityId, { amount: 5 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 422 || status === 409)).toHaveLength(4);
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 1000, there: 1000, given: 1000, open: 0, emails: 2 });
  });

  test('sent six times with one key is one refund; other content with it is a conflict', async () => {
    const vanityId = await buy();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => give(vanityId, { amount: 2, refund_key: key })));
    for (const { status, body } of answers) expect([status, body['refunded']]).toEqual([201, 2]);
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 200, there: 200, emails: 1 });
    const other = await give(vanityId, { amount: 3, refund_key: key });
    expect([other.status, other.body.error]).toEqual([409, words.REFUND_KEY_TAKEN]);
    const all = await give(vanityId, { refund_key: key });
    expect([all.status, all.body.error]).toEqual([409, words.REFUND_KEY_TAKEN]);
    const rest = randomUUID();
    expect((await give(vanityId, { refund_key: rest })).status).toBe(201);
    const named = await give(vanityId, { amount: 11, refund_key: rest });
    expect([named.status, named.body.error]).toEqual([409, words.REFUND_KEY_TAKEN]);
    expect((await give(vanityId, { refund_key: rest })).status).toBe(201);
  });

  test('of more than is left is refused with the remaining amount', async () => {
    const vanityId = await buy();
    await give(vanityId, { amount: 10 });
    const { status, body } = await give(vanityId, { amount: 3.01 });
    expect([status, body.errors]).toEqual([422, { amount: [words.moreThanLeft('$3.00')] }]);
  });

  test.each([
    ['a free order', () => freeOrder(), words.ORDER_WAS_FREE],
    ['an unpaid order', () => declinedOrder(), words.ORDER_NOT_PAID],
    ['an order that is disputed', () => disputed(), words.ORDER_IS_DISPUTED],
  ])('of %s is refused with a message', async (_what, order, sentence) => {
    const vanityId = await order();
    const { status, body } = await give(vanityId);
    expect([status, body.error]).toEqual([409, sentence]);
  });

  test('reports all problems', async () => {
    const { status, body } = await send('POST', `/api/v1/orders/${await buy()}/refunds`, people.tokens.admin, {
      amount: -1,
      reason: ' ',
      refund_key: 'x',
    });
    expect([status, body.errors]).toEqual([
      422,
      {
        amount: [words.AMOUNT_NOT_VALID],
        reason: [words.REASON_REQUIRED],
        refund_key: [words.REFUND_KEY_REQUIRED],
      },
    ]);
  });

  test('asks for the password again after ten minutes, before anything is stored', async () => {
    const vanityId = await buy();
    await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
    const { status, body } = await give(vanityId);
    await server.data.ownerQuery('update sessions set confirmed_at = now()');
    expect([status, body.error]).toEqual([401, 'Please confirm your password.']);
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 0, open: 0 });
  });

  test('is only for platform admins', async () => {
    const vanityId = await buy();
    expect((await give(vanityId, {}, null)).status).toBe(401);
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.neighbor])
      expect((await give(vanityId, {}, token)).status).toBe(403);
    expect((await give('AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404);
    expect((await give('abc')).status).toBe(404);
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 0, there: 0 });
  });

  test('adds a line to the audit log', async () => {
    const vanityId = await buy();
    await give(vanityId, { amount: 1 });
    const [line] = await server.data.ownerQuery<{ action: string; organization_id: number; details: object }>(
      'select action, organization_id, details from audit_log where object_id = $1',
      [String(await idOf(vanityId))],
    );
    expect(line).toMatchObject({
      action: 'order.refunded',
      organization_id: people.hawks.id,
      details: { amount_cents: 100 },
    });
  });
});

describe('a provider that does not respond', () => {
  const admin = () => callerOf(server, people.tokens.admin);
  const LOST: RefundOutcome = { state: 'unknown', cause: new Error('the reply was lost') };
  const wanted = (amountCents: number) => ({
    amountCents: cents(amountCents),
    reason: 'A wrong photo',
    idempotencyKey: randomUUID(),
  });

  test.each([
    ['after refunding', true],
    ['before anything', false],
  ])('%s: the refund is being confirmed, and given once by the recovery job', async (_when, gives) => {
    const vanityId = await buy();
    const { payments } = server.platform;
    const faulty = appWith(server, {
      refund: async (request) => (gives && (await payments.refund(request)), LOST),
    });
    const given = await faulty.refunds.give(await admin(), vanityId, wanted(400));
    expect([given.refund.state, given.message]).toEqual(['pending', words.REFUND_PENDING]);
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 0, open: 1, there: gives ? 400 : 0 });
    const another = await give(vanityId, { amount: 9.01 });
    expect(another.body.errors).toEqual({ amount: [words.moreThanLeft('$9.00')] });
    await Promise.all(Array.from({ length: 4 }, () => server.app.refunds.recover(given.refund.id)));
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 400, there: 400, open: 0, emails: 1 });
  });

  test('during an outage of the database: the refund is booked by the recovery job', async () => {
    const vanityId = await buy();
    const faulty = appWith(server, { chargeStatus: () => Promise.reject(new Error('no answer')) });
    const given = await faulty.refunds.give(await admin(), vanityId, wanted(1300));
    expect(given.refund.state).toBe('pending');
    await server.data.ownerQuery(
      `update payment_attempts set created_at = created_at - interval '1 minute' where kind = 'refund'`,
    );
    await server.app.refunds.sweep();
    expect(await stateOf(vanityId)).toMatchObject({ status: 'refunded', refunded: 1300, there: 1300, emails: 1 });
  });

  test('for a day is not asked again with a key that it may have forgotten', async () => {
    const vanityId = await buy();
    const faulty = appWith(server, { refund: async () => LOST });
    const given = await faulty.refunds.give(await admin(), vanityId, wanted(100));
    await server.data.ownerQuery(
      `update payment_attempts set created_at = created_at - interval '1 day' where id = $1`,
      [given.refund.id],
    );
    await server.app.refunds.recover(given.refund.id);
    expect(await stateOf(vanityId)).toMatchObject({ refunded: 0, there: 0, open: 0 });
  });

  test('or refuses is reported with a message; what it has already refunded is booked', async () => {
    const vanityId = await buy();
    const refuses = appWith(server, {
      refund: async () => ({
        state: 'declined',
        message: 'Insufficient funds in the account.',
        code: 'balance_insufficient',
      }),
    });
    await expect(refuses.refunds.give(await admin(), vanityId, wanted(100))).rejects.toThrow(words.REFUND_REFUSED);
    const [charge] = await server.data.ownerQuery<{ ref: string }>(
      `select provider_ref as ref from payment_attempts a join orders o on o.id = a.order_id where vanity_id = $1 and a.kind = 'charge'`,
      [vanityId],
    );
    await server.platform.payments.refund({
      idempotencyKey: randomUUID(),
      chargeId: charge?.ref ?? '',
      amountCents: cents(1300),
    });
    const { status, body } = await give(vanityId);
    expect([status, body.error]).toEqual([409, words.REFUNDED_THERE]);
    expect(await stateOf(vanityId)).toMatchObject({ status: 'refunded', refunded: 1300, there: 1300 });
  });
});

describe('requesting a refund', () => {
  test('works by number or vanity id, for members and the parent’s members; one at a time', async () => {
    const vanityId = await buy();
    const asked = await ask(vanityId, { amount: 4 });
    expect([asked.status, asked.body]).toMatchObject([201, { amount: 4, state: 'open', asked_by: 'owner Person' }]);
    const again = await ask(await idOf(vanityId), {}, people.tokens.parentMember);
    expect([again.status, again.body.error]).toEqual([409, words.ALREADY_REQUESTED]);
    await give(vanityId, { amount: 4 });
    const [request] = await server.data.ownerQuery<{ state: string; emails: number }>(
      `select state, (select count(*)::int from mail_outbox where dedupe_key = 'refund-request-' || r.id and recipient = 'owner@people.test') as emails
         from refund_requests r where id = $1`,
      [asked.body['id']],
    );
    expect(request).toEqual({ state: 'given', emails: 1 });
  });

  test('six times at the same time is one request', async () => {
    const vanityId = await buy();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(vanityId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('can be declined with a reason, in one email to the asker', async () => {
    const asked = await ask(await buy());
    const url = `/api/v1/refund_requests/${String(asked.body['id'])}/decline`;
    expect((await send('PUT', url, people.tokens.owner, { note: 'No.' })).status).toBe(403);
    const blank = await send('PUT', url, people.tokens.admin, { note: '' });
    expect([blank.status, blank.body.errors]).toEqual([422, { note: [words.NOTE_REQUIRED] }]);
    const declined = await send('PUT', url, people.tokens.admin, { note: 'The photos were downloaded.' });
    expect([declined.status, declined.body]).toMatchObject([200, { state: 'declined', decided_by: 'admin Person' }]);
    const again = await send('PUT', url, people.tokens.admin, { note: 'Again.' });
    expect([again.status, again.body.error]).toEqual([409, words.REQUEST_IS_DECIDED]);
    const [email] = await server.data.ownerQuery<{ body_text: string }>(
      'select body_text from mail_outbox where dedupe_key = $1',
      [`refund-request-${String(asked.body['id'])}`],
    );
    expect(email?.body_text).toContain('The photos were downloaded.');
    expect(
      (await send('PUT', '/api/v1/refund_requests/999999/decline', people.tokens.admin, { note: 'x' })).status,
    ).toBe(404);
  });

  test('is refused to visitors, other organizations and other parents', async () => {
    const vanityId = await buy();
    expect((await ask(vanityId, {}, null)).status).toBe(401);
    for (const token of [people.tokens.neighbor, people.tokens.foreigner]) {
      const { status, body } = await ask(vanityId, {}, token);
      expect([status, body.error]).toEqual([404, 'Order not found.']);
    }
  });

  test('is refused if nothing can be refunded', async () => {
    const vanityId = await buy();
    await give(vanityId);
    const { status, body } = await ask(vanityId);
    expect([status, body.error]).toEqual([409, words.FULLY_REFUNDED]);
  });
});

async function freeOrder(): Promise<string> {
  const free = await openSale(server, people.tokens.owner, people.hawks.id, {
    photos: 1,
    priceDollars: 0,
    name: 'Free',
  });
  return buyPhotos(server, [free], {});
}

async function declinedOrder(): Promise<string> {
  await expect(buyPhotos(server, [sale], { card: POOR_CARD })).rejects.toThrow('insufficient funds');
  const [order] = await server.data.ownerQuery<{ vanity_id: string }>(
    `select vanity_id from orders where status = 'failed' order by id desc limit 1`,
  );
  return order?.vanity_id ?? '';
}

async function disputed(): Promise<string> {
  const vanityId = await buy();
  await reportCharge(server, vanityId, {
    disputes: [{ id: `dp_${vanityId}`, amountCents: cents(1300), status: 'open', reason: null }],
  });
  return vanityId;
}

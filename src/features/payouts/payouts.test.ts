import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALREADY_CONFIRMED,
  ALREADY_FAILED,
  ALREADY_RETURNED,
  FAILURE_REQUIRED,
  KEY_USED,
  NOT_CONFIRMED,
  NOTHING_TO_PAY_OUT,
  NOT_AN_ORDER,
  ORDERS_REQUIRED,
  ORDERS_TWICE,
  REASONS,
  REFERENCE_REQUIRED,
  RETURN_REASON_REQUIRED,
  TOO_MANY_ORDERS,
  type BulkPayOutAnswer,
  type OfficePayout,
} from '#src/features/payouts/payouts.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { cents } from '#src/shared/money.ts';
import { owedTo, sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let admin: string;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  admin = people.tokens.admin;
});

const payOut = (ids: readonly unknown[], as: string | null = admin, headers: Record<string, string> = {}) =>
  server.call({ method: 'POST', url: '/api/v1/orders/bulk-pay-out', as, payload: { ids }, headers });
const paid = async (ids: readonly number[]) => (await payOut(ids)).json<BulkPayOutAnswer>();
const decide = (id: number, verb: 'confirm' | 'fail' | 'return', payload: object, as: string | null = admin) =>
  server.call({ method: 'POST', url: `/api/v1/payouts/${id}/${verb}`, as, payload });
const violations = async () => {
  const lines = await checkInvariants({ database: server.platform.database, sandboxCards: false });
  return lines.filter((line) => /^(I1|I2|I3|I5|I6|payouts)/.test(line));
};

describe('bulk payout', () => {
  test('pays each organization what the ledger owes for these orders, and reports it per id', async () => {
    const hawks = await sellDue(server, people.hawks.id, { amounts: [1000, 2000] });
    const [tides] = await sellDue(server, people.tides.id, { amounts: [500] });
    const before = await owedTo(server, people.hawks.id);
    const answer = await payOut([tides?.id, hawks[1]?.id, hawks[0]?.id]);
    expect(answer.statusCode).toBe(200);
    const { payouts, results } = answer.json<BulkPayOutAnswer>();
    expect(payouts).toEqual([
      {
        id: expect.any(Number),
        organization_id: people.hawks.id,
        amount: (shareOf(1000) + shareOf(2000)) / 100,
      },
      { id: expect.any(Number), organization_id: people.tides.id, amount: shareOf(500) / 100 },
    ]);
    expect(results).toEqual([
      { id: tides?.id, result: 'paid_out', payout_id: payouts[1]?.id, reason: null, message: null },
      { id: hawks[1]?.id, result: 'paid_out', payout_id: payouts[0]?.id, reason: null, message: null },
      { id: hawks[0]?.id, result: 'paid_out', payout_id: payouts[0]?.id, reason: null, message: null },
    ]);
    expect(await owedTo(server, people.hawks.id)).toBe(before - shareOf(1000) - shareOf(2000));
    expect(await violations()).toEqual([]);
  });

  test('reports for every order why it is not paid out', async () => {
    const due = await sellDue(server, people.hawks.id, { amounts: [1000] });
    const once = await sellDue(server, people.hawks.id, { amounts: [1000] });
    const made = await paid([once[0]?.id ?? 0]);
    const own = await sellDue(server, people.hawks.id, { amounts: [1000], processor: 'custom' });
    const unpaid = await sellDue(server, people.hawks.id, { amounts: [1000, 1000], status: 'pending' });
    const young = await sellDue(server, people.hawks.id, { amounts: [1000], daysAgo: 29.9 });
    const free = await sellDue(server, people.hawks.id, { amounts: [0] });
    const back = await sellDue(server, people.hawks.id, { amounts: [1000, 1000, 1000] });
    await reportCharge(server, back[0]?.vanityId ?? '', { refundedCents: 1000 });
    await reportCharge(server, back[1]?.vanityId ?? '', {
      disputes: [{ id: 'dp_1', amountCents: cents(1000), status: 'open', reason: 'fraudulent' }],
    });
    await reportCharge(server, back[2]?.vanityId ?? '', { refundedCents: 300 });
    const ids = [...due, ...once, ...own, ...unpaid, ...young, ...free, ...back].map((order) => order.id);
    const { payouts, results } = await paid([...ids, 999_999_999]);
    const why = (reason: keyof typeof REASONS) => ({
      result: 'not_eligible',
      payout_id: null,
      reason,
      message: REASONS[reason],
    });
    expect(results.map(({ id: _id, ...rest }) => rest)).toEqual([
      { result: 'paid_out', payout_id: payouts[0]?.id, reason: null, message: null },
      { result: 'already_paid', payout_id: made.payouts[0]?.id, reason: null, message: null },
      why('own_account'),
      why('unpaid'),
      why('unpaid'),
      why('too_new'),
      why('nothing_left'),
      why('refunded'),
      why('disputed'),
      { result: 'paid_out', payout_id: payouts[0]?.id, reason: null, message: null },
      why('unknown'),
    ]);
    const lines = await server.data.ownerQuery<{ order_id: number; kind: string; amount_cents: number }>(
      'select order_id, kind, amount_cents from payout_lines where payout_id = $1 order by order_id',
      [payouts[0]?.id],
    );
    // The full refund cost its card fee, and the dispute holds back what the buyer paid: both are deducted here.
    expect(lines.map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
      ['sale', shareOf(1000)],
      ['carry', -59],
      ['carry', shareOf(1000) - 1000],
      ['sale', shareOf(1000) - 240],
    ]);
    expect(payouts[0]?.amount).toBe(lines.reduce((sum, line) => sum + line.amount_cents, 0) / 100);
    expect(await violations()).toEqual([]);
  });

  test('asks again for the password after ten minutes, and pays nothing until then', async () => {
    const [order] = await sellDue(server, people.hawks.id, { amounts: [1000] });
    const token = await server.signIn('admin@people.test');
    await server.data.ownerQuery(
      "update sessions set confirmed_at = now() - interval '11 minutes' where user_id = (select id from users where email = 'admin@people.test')",
    );
    const refused = await payOut([order?.id], token);
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      401,
      'Please confirm your password.',
    ]);
    await server.call({
      method: 'POST',
      url: '/api/v1/confirm-password',
      as: token,
      payload: { password: TEST_PASSWORD },
    });
    expect((await payOut([order?.id], token)).statusCode).toBe(200);
    admin = token;
  });

  test('is for platform admins: visitors get 401, everyone else 403', async () => {
    const [order] = await sellDue(server, people.hawks.id, { amounts: [1000] });
    expect((await payOut([order?.id], null)).statusCode).toBe(401);
    for (const who of ['owner', 'neighbor', 'parentMember', 'foreigner'] as const)
      expect((await payOut([order?.id], people.tokens[who])).statusCode, who).toBe(403);
    expect((await payOut([order?.id])).statusCode).toBe(200);
  });

  test.each<[string, unknown, string]>([
    ['no list', undefined, ORDERS_REQUIRED],
    ['an empty list', [], ORDERS_REQUIRED],
    ['a text', 'all', ORDERS_REQUIRED],
    ['a duplicate', [1, 1], ORDERS_TWICE],
    ['texts', ['1', '2'], NOT_AN_ORDER],
    ['a fraction', [1.5], NOT_AN_ORDER],
    ['nothing', [0], NOT_AN_ORDER],
    ['10,001 of them', Array.from({ length: 10_001 }, (_, index) => index + 1), TOO_MANY_ORDERS],
  ])('refuses %s', async (_what, ids, sentence) => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/orders/bulk-pay-out',
      as: admin,
      payload: { ids },
    });
    expect(answer.statusCode).toBe(422);
    expect(Object.values(answer.json<{ errors: Record<string, string[]> }>().errors).flat()).toContain(sentence);
  });

  test('is a conflict when none may be paid out, and still gives the reason for each', async () => {
    const [young] = await sellDue(server, people.hawks.id, { amounts: [1000], daysAgo: 3 });
    const answer = await payOut([young?.id, 999_999_998]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      error: NOTHING_TO_PAY_OUT,
      payouts: [],
      results: [
        { id: young?.id, result: 'not_eligible', reason: 'too_new' },
        { id: 999_999_998, result: 'not_eligible', reason: 'unknown' },
      ],
    });
  });

  test('returns the same response again for its key, and refuses other content with it', async () => {
    const orders = await sellDue(server, people.hawks.id, { amounts: [1000, 1000] });
    const key = { 'idempotency-key': 'press-1' };
    const first = await payOut([orders[0]?.id], admin, key);
    const again = await payOut([orders[0]?.id], admin, key);
    expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(again.json()).toEqual(first.json());
    const other = await payOut([orders[1]?.id], admin, key);
    expect([other.statusCode, other.json<{ error: string }>().error]).toEqual([409, KEY_USED]);
  });

  test('holds an organization that owes more than is due, and deducts the debt from its next sales', async () => {
    const { id } = people.stranger;
    const [lost] = await sellDue(server, id, { amounts: [3000] });
    expect((await paid([lost?.id ?? 0])).payouts[0]?.amount).toBe(shareOf(3000) / 100);
    await reportCharge(server, lost?.vanityId ?? '', { refundedCents: 3000 });
    expect(await owedTo(server, id)).toBe(-2400);
    const [small] = await sellDue(server, id, { amounts: [1000] });
    const held = await payOut([small?.id]);
    expect(held.statusCode).toBe(409);
    expect(held.json<BulkPayOutAnswer>().results[0]).toMatchObject({ reason: 'negative_balance' });
    const [large] = await sellDue(server, id, { amounts: [5000] });
    const { payouts } = await paid([small?.id ?? 0, large?.id ?? 0]);
    expect(payouts[0]?.amount).toBe((shareOf(1000) + shareOf(5000) - 2400) / 100);
    expect(await owedTo(server, id)).toBe(0);
    expect(await violations()).toEqual([]);
  });
});

describe('the outcome of a payout', () => {
  async function made(amount = 1000): Promise<{ payoutId: number; orderId: number }> {
    const [order] = await sellDue(server, people.hawks.id, { amounts: [amount] });
    const { payouts } = await paid([order?.id ?? 0]);
    return { payoutId: payouts[0]?.id ?? 0, orderId: order?.id ?? 0 };
  }

  test('can be confirmed with its reference, once, with an email to the organization', async () => {
    const { payoutId } = await made();
    const answer = await decide(payoutId, 'confirm', { reference: '  ACH 4711 ' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<OfficePayout>()).toMatchObject({ status: 'paid', reference: 'ACH 4711' });
    expect((await decide(payoutId, 'confirm', { reference: 'ACH 4711' })).statusCode).toBe(200);
    const other = await decide(payoutId, 'confirm', { reference: 'ACH 4712' });
    expect([other.statusCode, other.json<{ error: string }>().error]).toEqual([409, ALREADY_CONFIRMED]);
    const failed = await decide(payoutId, 'fail', { reason: 'bounced' });
    expect([failed.statusCode, failed.json<{ error: string }>().error]).toEqual([409, ALREADY_CONFIRMED]);
    const sentEmails = await server.data.ownerQuery<{ text: string }>(
      'select to_jsonb(m)::text as text from mail_outbox m where dedupe_key = $1',
      [`payout-paid-${payoutId}`],
    );
    expect(sentEmails).toHaveLength(1);
    expect(sentEmails[0]?.text).toContain('hawks@clubs.test');
    expect(sentEmails[0]?.text).toContain('ACH 4711');
    const actions = await server.data.ownerQuery<{ action: string }>(
      "select action from audit_log where object_type = 'payout' and object_id = $1 order by id",
      [String(payoutId)],
    );
    expect(actions.map(({ action }) => action)).toEqual(['payout.created', 'payout.confirmed']);
    expect(await violations()).toEqual([]);
  });

  test('makes its orders due again when it failed, and keeps its history', async () => {
    const before = await owedTo(server, people.hawks.id);
    const { payoutId, orderId } = await made(2000);
    const answer = await decide(payoutId, 'fail', { reason: 'The account is closed.' });
    expect(answer.json<OfficePayout>()).toMatchObject({ status: 'failed', failure_reason: 'The account is closed.' });
    expect(await owedTo(server, people.hawks.id)).toBe(before + shareOf(2000));
    const repeated = await decide(payoutId, 'fail', { reason: 'The account is closed.' });
    expect([repeated.statusCode, repeated.json()]).toEqual([200, answer.json()]);
    const late = [
      await decide(payoutId, 'confirm', { reference: 'late' }),
      await decide(payoutId, 'fail', { reason: 'Another reason' }),
      await decide(payoutId, 'return', { reason: 'The account is closed, too.' }),
    ];
    for (const { statusCode, json } of late)
      expect([statusCode, json<{ error: string }>().error]).toEqual([409, ALREADY_FAILED]);
    expect(await owedTo(server, people.hawks.id)).toBe(before + shareOf(2000));
    const again = await paid([orderId]);
    expect(again.results[0]).toMatchObject({ result: 'paid_out' });
    const lines = await server.data.ownerQuery<{ live: boolean }>(
      'select live from payout_lines where order_id = $1 order by payout_id',
      [orderId],
    );
    expect(lines).toEqual([{ live: false }, { live: true }]);
    const sentEmails = await server.data.ownerQuery('select 1 from mail_outbox where dedupe_key = $1', [
      `payout-failed-${payoutId}-0`,
    ]);
    expect(sentEmails).toHaveLength(1);
    expect(await violations()).toEqual([]);
  });

  test('can be returned by the bank after it was confirmed: its orders are due again, once, with an email', async () => {
    const before = await owedTo(server, people.hawks.id);
    const { payoutId, orderId } = await made(3000);
    const early = await decide(payoutId, 'return', { reason: 'Too early' });
    expect([early.statusCode, early.json<{ error: string }>().error]).toEqual([409, NOT_CONFIRMED]);
    await decide(payoutId, 'confirm', { reference: 'ACH 5' });
    const empty = await decide(payoutId, 'return', { reason: ' ' });
    expect([empty.statusCode, empty.json<{ errors: object }>().errors]).toEqual([
      422,
      { reason: [RETURN_REASON_REQUIRED] },
    ]);
    expect((await decide(payoutId, 'return', { reason: 'x' }, null)).statusCode).toBe(401);
    expect((await decide(payoutId, 'return', { reason: 'x' }, people.tokens.owner)).statusCode).toBe(403);
    const told = { reason: 'Account closed.' };
    const answers = await Promise.all([decide(payoutId, 'return', told), decide(payoutId, 'return', told)]);
    for (const answer of answers)
      expect([answer.statusCode, answer.json<OfficePayout>()]).toMatchObject([
        200,
        {
          status: 'returned',
          reference: 'ACH 5',
          failure_reason: 'Account closed.',
          returned_by: { name: 'admin Person' },
        },
      ]);
    const other = await decide(payoutId, 'return', { reason: 'Another' });
    expect([other.statusCode, other.json<{ error: string }>().error]).toEqual([409, ALREADY_RETURNED]);
    expect(await owedTo(server, people.hawks.id)).toBe(before + shareOf(3000));
    const [bank] = await server.data.ownerQuery<{ cents: number }>(
      `select sum(e.amount_cents)::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'bank'
         join ledger_txs t on t.id = e.tx_id where t.source_type = 'payout' and t.source_id = $1`,
      [String(payoutId)],
    );
    expect(bank?.cents).toBe(0);
    expect((await paid([orderId])).results[0]).toMatchObject({ result: 'paid_out' });
    const sentEmails = await server.data.ownerQuery<{ key: string }>(
      'select dedupe_key as key from mail_outbox where dedupe_key in ($1, $2) order by 1',
      [`payout-failed-${payoutId}-0`, `payout-returned-${payoutId}`],
    );
    expect(sentEmails).toHaveLength(2);
    const actions = await server.data.ownerQuery<{ action: string }>(
      "select action from audit_log where object_type = 'payout' and object_id = $1 order by id",
      [String(payoutId)],
    );
    expect(actions.map(({ action }) => action)).toEqual(['payout.created', 'payout.confirmed', 'payout.returned']);
    expect(await violations()).toEqual([]);
  });

  test('requires a reference and a reason', async () => {
    const { payoutId } = await made();
    const unconfirmed = await decide(payoutId, 'confirm', { reference: ' ' });
    expect([unconfirmed.statusCode, unconfirmed.json<{ errors: object }>().errors]).toEqual([
      422,
      { reference: [REFERENCE_REQUIRED] },
    ]);
    const unfailed = await decide(payoutId, 'fail', {});
    expect([unfailed.statusCode, unfailed.json<{ errors: object }>().errors]).toEqual([
      422,
      { reason: [FAILURE_REQUIRED] },
    ]);
    for (const verb of ['confirm', 'fail'] as const) {
      expect((await decide(payoutId, verb, { reference: 'x', reason: 'x' }, null)).statusCode).toBe(401);
      expect((await decide(999_999, verb, verb === 'confirm' ? { reference: 'x' } : { reason: 'x' })).statusCode).toBe(
        404,
      );
    }
    expect((await decide(payoutId, 'fail', { reason: 'x' }, people.tokens.owner)).statusCode).toBe(403);
  });
});

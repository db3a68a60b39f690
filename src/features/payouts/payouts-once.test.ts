/**
 * Exactly once, however many people pay out at the same time and whatever happens to the orders meanwhile (threat 42; money
 * M12).
 */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { KEY_TOO_LONG, type BulkPayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import { cents } from '#src/shared/money.ts';
import { owedTo, sellDue, shareOf, type DueOrder } from '#tests/support/due-orders.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

const payOut = (orders: readonly DueOrder[]) =>
  server.call({
    method: 'POST',
    url: '/api/v1/orders/bulk-pay-out',
    as: people.tokens.admin,
    payload: { ids: orders.map((order) => order.id) },
  });
const decide = (id: number, verb: 'confirm' | 'fail', payload: object) =>
  server.call({ method: 'POST', url: `/api/v1/payouts/${id}/${verb}`, as: people.tokens.admin, payload });
const livePayouts = (orders: readonly DueOrder[]) =>
  server.data.ownerQuery<{ order_id: number; payouts: number }>(
    `select order_id, count(*)::integer as payouts from payout_lines
      where kind = 'sale' and live and order_id = any ($1::bigint[]) group by order_id`,
    [orders.map((order) => order.id)],
  );
/** What was paid or is being paid to an organization. */
const paidTo = async (organizationId: number) => {
  const [row] = await server.data.ownerQuery<{ sum: number }>(
    "select coalesce(sum(amount_cents), 0)::bigint as sum from payouts where organization_id = $1 and status in ('created', 'submitted', 'paid')",
    [organizationId],
  );
  return row?.sum ?? 0;
};

afterAll(async () => {
  const lines = await checkInvariants({ database: server.platform.database, sandboxCards: false });
  const broken = lines.filter((line) => /^(I1|I2|I3|I5|I6|payouts)/.test(line));
  if (broken.length > 0) throw new Error(broken.join('\n'));
});

describe('simultaneous payouts', () => {
  test('in six requests with overlapping lists pay each of 300 orders once, and everything that was owed', async () => {
    const clubs = [people.hawks.id, people.tides.id, people.parent.id, people.stranger.id, people.hawks.id];
    const groups = await Promise.all(
      clubs.map((club, index) =>
        sellDue(server, club, {
          amounts: Array.from({ length: 60 }, (_, order) => 500 + (((index * 60 + order) * 37) % 1700)),
        }),
      ),
    );
    const orders = groups.flat();
    const owed = async () => {
      const each = await Promise.all([...new Set(clubs)].map((club) => owedTo(server, club)));
      return each.reduce((sum, one) => sum + one, 0);
    };
    const before = await owed();
    expect(before).toBe(orders.reduce((sum, order) => sum + shareOf(order.totalCents), 0));
    const lists = [
      orders,
      orders.toReversed(),
      orders.slice(0, 200),
      orders.slice(100),
      orders.slice(50, 250).toReversed(),
      orders,
    ];
    const answers = await Promise.all(lists.map(payOut));
    expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409)).toBe(true);
    const results = answers.flatMap((answer) => answer.json<BulkPayOutAnswer>().results);
    expect(results.filter(({ result }) => result === 'paid_out')).toHaveLength(300);
    expect(results.filter(({ result }) => result === 'not_eligible')).toEqual([]);
    const live = await livePayouts(orders);
    expect([live.length, live.filter((order) => order.payouts > 1)]).toEqual([300, []]);
    expect(await owed()).toBe(0);
    const paid = await Promise.all([...new Set(clubs)].map(paidTo));
    expect(paid.reduce((sum, one) => sum + one, 0)).toBe(before);
  });

  test('and a refund of one of the orders leave nothing open', async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = people.hawks;
      const [owedBefore, paidBefore] = [await owedTo(server, id), await paidTo(id)];
      const orders = await sellDue(server, id, { amounts: [4000, 4000, 4000] });
      await Promise.all([payOut(orders), reportCharge(server, orders[1]?.vanityId ?? '', { refundedCents: 1000 })]);
      const brought = 3 * shareOf(4000) - 800;
      expect((await owedTo(server, id)) - owedBefore + (await paidTo(id)) - paidBefore).toBe(brought);
    }
    // What a refund took after the payout is carried into the next one.
    const last = await sellDue(server, people.hawks.id, { amounts: [9000] });
    await payOut(last);
    expect(await owedTo(server, people.hawks.id)).toBe(0);
  });

  test('and a dispute of one of the orders leave nothing open', async () => {
    const { id } = people.tides;
    for (let round = 0; round < 4; round++) {
      const [owedBefore, paidBefore] = [await owedTo(server, id), await paidTo(id)];
      const orders = await sellDue(server, id, { amounts: [4000, 4000, 4000] });
      const dispute = { id: `dp_race_${round}`, amountCents: cents(4000), reason: 'fraudulent' };
      const tell = (status: 'open' | 'won') =>
        reportCharge(server, orders[1]?.vanityId ?? '', { disputes: [{ ...dispute, status }] });
      await Promise.all([payOut(orders), tell('open')]);
      expect((await owedTo(server, id)) - owedBefore + (await paidTo(id)) - paidBefore).toBe(3 * shareOf(4000) - 4000);
      await tell('won');
      await payOut(orders);
      expect((await owedTo(server, id)) - owedBefore + (await paidTo(id)) - paidBefore).toBe(3 * shareOf(4000));
    }
  });

  test('and the failure of the previous payout pay the order once', async () => {
    const { id } = people.stranger;
    for (let round = 0; round < 6; round++) {
      const owedBefore = await owedTo(server, id);
      const orders = await sellDue(server, id, { amounts: [3000] });
      const first = (await payOut(orders)).json<BulkPayOutAnswer>().payouts[0]?.id ?? 0;
      const fresh = await sellDue(server, id, { amounts: [2000] });
      const answers = await Promise.all([
        decide(first, 'fail', { reason: 'The account is closed.' }),
        payOut([...orders, ...fresh]),
        payOut([...orders, ...fresh]),
      ]);
      expect(answers[0]?.statusCode).toBe(200);
      await payOut(orders);
      const live = await livePayouts([...orders, ...fresh]);
      expect(live.map((order) => order.payouts)).toEqual([1, 1]);
      expect(await owedTo(server, id)).toBe(owedBefore);
    }
  });

  test('are correct when a refund was deducted elsewhere and the payout of its sale is returned', async () => {
    const { id } = people.stranger;
    const paidBefore = await paidTo(id);
    const [given, lost] = await sellDue(server, id, { amounts: [3000, 3000] });
    const first = (await payOut([given, lost] as DueOrder[])).json<BulkPayOutAnswer>().payouts[0]?.id ?? 0;
    await reportCharge(server, given?.vanityId ?? '', { refundedCents: 3000 });
    const dispute = { id: 'dp_borne', amountCents: cents(3000), reason: 'fraudulent' };
    await reportCharge(server, lost?.vanityId ?? '', { disputes: [{ ...dispute, status: 'lost' }] });
    await payOut(await sellDue(server, id, { amounts: [20_000] }));
    expect((await decide(first, 'fail', { reason: 'The account is closed.' })).statusCode).toBe(200);
    const again = await payOut([given, lost] as DueOrder[]);
    expect(again.json<BulkPayOutAnswer>().results.map(({ result }) => result)).toEqual(['paid_out', 'paid_out']);
    expect(await owedTo(server, id)).toBe(0);
    expect((await paidTo(id)) - paidBefore).toBe(shareOf(20_000) + 2 * shareOf(3000) - 2400 - 3000);
  });

  test('are confirmed or returned: one wins, the other gets a conflict', async () => {
    for (let round = 0; round < 6; round++) {
      const orders = await sellDue(server, people.parent.id, { amounts: [3000] });
      const payout = (await payOut(orders)).json<BulkPayOutAnswer>().payouts[0]?.id ?? 0;
      const answers = await Promise.all([
        decide(payout, 'confirm', { reference: `ACH ${round}` }),
        decide(payout, 'fail', { reason: 'bounced' }),
        decide(payout, 'confirm', { reference: `ACH ${round}` }),
      ]);
      const statuses = answers.map(({ statusCode }) => statusCode);
      expect([
        [200, 409, 200],
        [409, 200, 409],
      ]).toContainEqual(statuses);
    }
  });

  test('with one key sent four times are one payout with one response', async () => {
    const orders = await sellDue(server, people.hawks.id, { amounts: [3000, 3000] });
    const press = () =>
      server.call({
        method: 'POST',
        url: '/api/v1/orders/bulk-pay-out',
        as: people.tokens.admin,
        headers: { 'idempotency-key': 'the same press' },
        payload: { ids: orders.map((order) => order.id) },
      });
    const answers = await Promise.all([press(), press(), press(), press()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    for (const answer of answers) expect(answer.json()).toEqual(answers[0]?.json());
  });

  test('with a key of more than 200 characters pay nothing', async () => {
    const orders = await sellDue(server, people.hawks.id, { amounts: [3000] });
    const press = (key: string) =>
      server.call({
        method: 'POST',
        url: '/api/v1/orders/bulk-pay-out',
        as: people.tokens.admin,
        headers: { 'idempotency-key': key },
        payload: { ids: orders.map((order) => order.id) },
      });
    const refused = await press('k'.repeat(201));
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { error: KEY_TOO_LONG }]);
    expect(await livePayouts(orders)).toEqual([]);
    expect((await press('k'.repeat(200))).statusCode).toBe(200);
    expect(await livePayouts(orders)).toEqual([{ order_id: orders[0]?.id, payouts: 1 }]);
  });
});

describe('the database itself', () => {
  test('refuses a second active payout of an order, and changes of postings', async () => {
    const orders = await sellDue(server, people.hawks.id, { amounts: [3000] });
    const payout = (await payOut(orders)).json<BulkPayOutAnswer>().payouts[0]?.id ?? 0;
    const [other] = await server.data.ownerQuery<{ id: number }>(
      'insert into payouts (organization_id, amount_cents, batch_key, order_count) values ($1, 1, gen_random_uuid(), 1) returning id',
      [people.hawks.id],
    );
    await expect(
      server.data.ownerQuery(
        "insert into payout_lines (payout_id, order_id, organization_id, amount_cents, kind) select $1, order_id, organization_id, 1, 'sale' from payout_lines where payout_id = $2",
        [other?.id, payout],
      ),
    ).rejects.toMatchObject({ code: '23505' });
    await server.data.ownerQuery('delete from payouts where id = $1', [other?.id]);
  });

  test('sums a posting of many entries when it is complete, and refuses an incomplete one, in any order', async () => {
    await sellDue(server, people.hawks.id, { amounts: [3000] });
    const [account] = await server.data.ownerQuery<{ id: number }>('select id from ledger_accounts limit 1');
    const lopsided = (amounts: number[]) =>
      server.data.ownerQuery(
        `with posting as (insert into ledger_txs (kind, source_type, source_id) values ('payout_created', 'payout', 'x') returning id)
         insert into ledger_entries (tx_id, account_id, amount_cents) select posting.id, $1, amount from posting, unnest($2::bigint[]) as amount`,
        [account?.id, amounts],
      );
    await expect(lopsided([5, 5, -9])).rejects.toMatchObject({ code: '23514' });
    await expect(lopsided([1])).rejects.toMatchObject({ code: '23514' });
    // Another entry for an old posting is summed, too, even with a smaller number than the others.
    const [old] = await server.data.ownerQuery<{ id: number }>('select id from ledger_txs limit 1');
    await expect(
      server.data.ownerQuery(
        'insert into ledger_entries (id, tx_id, account_id, amount_cents) overriding system value values (-1, $1, $2, 7)',
        [old?.id, account?.id],
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });
});

/** The nightly comparison over HTTP: nothing if all is well, and every kind of difference with its message. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '#src/app.ts';
import * as words from '#src/features/reconciliation/reconciliation.contract.ts';
import type { DifferenceAnswer } from '#src/features/reconciliation/reconciliation.contract.ts';
import { withClient } from '#src/platform/db/client.ts';
import { cents } from '#src/shared/money.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const own = (text: string, values: unknown[] = []) => server.data.ownerQuery<Record<string, never>>(text, values);
let people: Neighborhood;
let sale: ForSale;

// A comparison reads the whole ledger, so each test starts with an empty one. Only the superuser can empty it.
beforeEach(async () => {
  await withClient(server.data.superUrl, (client) =>
    client.query(`set session_replication_role = replica;
      truncate galleries, orders, payouts, ledger_txs, open_balances, mail_outbox, reconciliation_runs, reconciliation_differences,
               sandbox_provider.charges, sandbox_provider.payouts cascade`),
  );
  people = await settleAnother(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 2, priceDollars: 4 });
});

type Bought = { vanityId: string; id: number; charge: string };

/** An order of $13.00. */
async function buy(): Promise<Bought> {
  const vanityId = await buyPhotos(server, [sale], { donation: '$5.00' });
  const [row] = await server.data.ownerQuery<{ id: number; charge: string }>(
    `select o.id, a.provider_ref as charge from orders o join payment_attempts a on a.order_id = o.id where vanity_id = $1`,
    [vanityId],
  );
  if (!row) throw new Error('the order has no charge');
  return { vanityId, ...row };
}

/** Moves everything into the past. */
async function letTimePass(hours: number): Promise<void> {
  const back = `- make_interval(hours => ${hours})`;
  await own(`update payment_attempts set created_at = created_at ${back}, sent_at = sent_at ${back}`);
  await own(`update orders set created_at = created_at ${back}`);
  for (const table of ['charges', 'refunds', 'disputes', 'payouts'])
    await own(`update sandbox_provider.${table} set created_at = created_at ${back}`);
}

const give = (vanityId: string, amount: number) =>
  server.call({
    method: 'POST',
    url: `/api/v1/orders/${vanityId}/refunds`,
    as: people.tokens.admin,
    payload: { amount, reason: 'A test', refund_key: randomUUID() },
  });

const overview = async (state: words.DifferenceState = 'open') =>
  server.app.reconciliation.overview(await callerOf(server, people.tokens.admin), state, null);
async function compare() {
  await server.app.reconciliation.runNightly();
  const { runs, differences } = await overview();
  const [run] = runs;
  if (!run) throw new Error('no run');
  return { run, differences: differences.filter(({ subject }) => !/photo \d+ is ready without/.test(subject)) };
}
const kindsOf = (differences: readonly DifferenceAnswer[]) => differences.map(({ kind }) => kind).toSorted();

/** Orders some hours old, the first partly refunded and the second fully. */
async function sellAndRefund(): Promise<void> {
  const [first, second] = [await buy(), await buy()];
  for (let count = 0; count < 4; count++) await buy();
  await give(first.vanityId, 3.5);
  await give(second.vanityId, 13);
  await letTimePass(3);
}

describe('books that agree', () => {
  test('have no differences, and the same counts and sums on both sides', async () => {
    await sellAndRefund();
    const { run, differences } = await compare();
    expect(differences).toEqual([]);
    expect(run).toMatchObject({ state: 'done', found: 0 });
    expect(run.figures['charges']).toEqual({ ours: { count: 6, cents: 7800 }, theirs: { count: 6, cents: 7800 } });
    expect(run.figures['refunds']).toEqual({ ours: { count: 2, cents: 1650 }, theirs: { count: 2, cents: 1650 } });
    expect(run.figures['fees']?.ours).toEqual(run.figures['fees']?.theirs);
    expect(run.figures['bank']?.theirs.count).toBe(1);
    expect(run.figures['bank']?.ours).toEqual(run.figures['bank']?.theirs);
  });

  test('have each transfer to our bank once, however often they are compared', async () => {
    await sellAndRefund();
    await compare();
    await compare();
    await compare();
    const [bank] = await server.data.ownerQuery<{ booked: number; sent: number; clearing: number }>(
      `select (select sum(e.amount_cents)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'bank') as booked,
              (select sum(amount_cents)::int from sandbox_provider.payouts) as sent,
              (select sum(e.amount_cents)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'provider_clearing') as clearing`,
    );
    expect(bank?.booked).toBe(bank?.sent);
    // The whole balance was sent.
    expect(bank?.clearing).toBe(0);
  });
});

describe('a difference', () => {
  test('of every kind is found, described, and closed automatically when it disappears', async () => {
    const [ofFee, ofAmount, missing, ofRefund] = [await buy(), await buy(), await buy(), await buy()];
    await letTimePass(3);
    expect((await compare()).differences).toEqual([]);
    await own(`update sandbox_provider.charges set fee_cents = fee_cents + 7 where id = $1`, [ofFee.charge]);
    await own(`update sandbox_provider.charges set amount_cents = 1400 where id = $1`, [ofAmount.charge]);
    await own(`update payment_attempts set provider_ref = 'ch_gone' where provider_ref = $1`, [missing.charge]);
    await server.platform.payments.refund({
      idempotencyKey: randomUUID(),
      chargeId: ofRefund.charge,
      amountCents: cents(100),
    });
    const stray = await server.platform.payments.charge({
      idempotencyKey: randomUUID(),
      source: { token: (await payWith(server)).id },
      amountCents: cents(999),
      description: 'Nobody’s',
      metadata: {},
    });
    expect(stray.state).toBe('succeeded');
    await own(`update sandbox_provider.payouts set amount_cents = amount_cents + 1`);
    await letTimePass(2);
    const { run, differences } = await compare();
    expect(kindsOf(differences)).toEqual([
      'amount_differs',
      'bank_payout_differs',
      'charge_missing_there',
      'charge_without_order',
      'fee_differs',
      'refund_differs',
    ]);
    expect(run.found).toBe(differences.length);
    expect(await server.app.reconciliation.countOpen()).toBe(differences.length);
    expect(differences.find(({ kind }) => kind === 'amount_differs')).toMatchObject({
      subject: `order ${ofAmount.id}`,
      order_id: ofAmount.id,
      organization: people.hawks.path,
      ours: '$13.00',
      theirs: '$14.00',
      difference: 1,
      state: 'open',
      owner: null,
    });
    expect(differences.find(({ kind }) => kind === 'refund_differs')).toMatchObject({ ours: '$0.00', theirs: '$1.00' });
    // Corrected by hand, as a treasurer would.
    await own(`update sandbox_provider.charges set fee_cents = fee_cents - 7 where id = $1`, [ofFee.charge]);
    await own(`update sandbox_provider.charges set amount_cents = 1300 where id = $1`, [ofAmount.charge]);
    await own(`update payment_attempts set provider_ref = $1 where provider_ref = 'ch_gone'`, [missing.charge]);
    await own(`delete from sandbox_provider.refunds where charge_id = $1`, [ofRefund.charge]);
    await own(
      `delete from sandbox_provider.idempotency_keys where charge_id in (select id from sandbox_provider.charges where amount_cents = 999)`,
    );
    await own(`delete from sandbox_provider.charges where amount_cents = 999`);
    const again = await compare();
    expect(kindsOf(again.differences)).toEqual(['bank_payout_differs', 'bank_payout_differs']);
    const closed = await overview('closed');
    expect(closed.differences.length).toBeGreaterThan(4);
    expect(closed.differences[0]?.closed_at).not.toBeNull();
  });

  test('is assigned, annotated and explained by platform admins; it stays explained while it exists', async () => {
    const { charge } = await buy();
    await own(`update sandbox_provider.charges set fee_cents = fee_cents + 7 where id = $1`, [charge]);
    await letTimePass(3);
    const [difference] = (await compare()).differences;
    const url = `/api/v1/reconciliation/differences/${difference?.id ?? 0}`;
    const put = async (payload: object, as: string | null = people.tokens.admin, address = url) => {
      const answer = await server.call({ method: 'PUT', url: address, as, payload });
      return { status: answer.statusCode, body: answer.json<DifferenceAnswer & { error: string; errors: object }>() };
    };
    expect((await put({ mine: true })).body).toMatchObject({ mine: true, owner: 'admin Person' });
    const bare = await put({ state: 'explained' });
    expect([bare.status, bare.body.errors]).toEqual([422, { note: [words.EXPLANATION_REQUIRED] }]);
    const explained = await put({ state: 'explained', note: 'The bank took a cent.' });
    expect(explained.body).toMatchObject({ state: 'explained', note: 'The bank took a cent.' });
    const { differences } = await compare();
    expect(differences.map(({ id }) => id)).not.toContain(difference?.id);
    expect((await overview('explained')).differences.map(({ id }) => id)).toEqual([difference?.id]);
    expect((await put({ mine: true }, people.tokens.owner)).status).toBe(403);
    expect((await put({ mine: true }, null)).status).toBe(401);
    expect(
      (await put({ mine: true }, people.tokens.admin, '/api/v1/reconciliation/differences/999999')).body.error,
    ).toBe(words.DIFFERENCE_NOT_FOUND);
    const wrong = await put({ mine: 'yes', state: 'closed', note: 7 });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      { mine: [words.MINE_NOT_VALID], state: [words.STATE_NOT_VALID], note: ['Must be text.'] },
    ]);
  });
});

describe('what can be resolved automatically', () => {
  test('is resolved: a charge of a failed order is refunded, and is not a difference', async () => {
    const order = await buy();
    // As after a lookup that returned "absent" too early.
    await own(`update payment_attempts set state = 'failed' where provider_ref = $1`, [order.charge]);
    await letTimePass(2);
    await server.app.reconciliation.runNightly();
    const [charge] = await server.data.ownerQuery<{ back: number }>(
      `select coalesce(sum(amount_cents), 0)::int as back from sandbox_provider.refunds where charge_id = $1`,
      [order.charge],
    );
    expect(charge?.back).toBe(1300);
    const { differences } = await overview();
    expect(differences.filter(({ kind }) => kind === 'orphan_charge')).toEqual([]);
  });
});

test('a charge that the provider does not refund is a difference, not only a log line', async () => {
  const order = await buy();
  await letTimePass(3);
  await own(`update payment_attempts set state = 'failed' where provider_ref = $1`, [order.charge]);
  const { payments } = server.platform;
  const refuses = createApp({
    ...server.platform,
    payments: { ...payments, refund: async () => ({ state: 'declined', code: 'refused', message: 'Not today.' }) },
  });
  await refuses.reconciliation.runNightly();
  const orphans = async () =>
    (await overview()).differences.filter(({ subject }) => subject === `charge ${order.charge}`);
  expect(await orphans()).toMatchObject([{ kind: 'orphan_charge', state: 'open' }]);
  await server.app.reconciliation.runNightly();
  expect(await orphans()).toEqual([]);
});

describe('a comparison on demand', () => {
  const ask = (as: string | null) => server.call({ method: 'POST', url: '/api/v1/reconciliation/runs', as });

  test('is for platform admins, one at a time, and is performed by the worker', async () => {
    expect((await ask(null)).statusCode).toBe(401);
    expect((await ask(people.tokens.owner)).statusCode).toBe(403);
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(people.tokens.admin)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ error: words.RUN_UNDER_WAY });
    // The nightly run finds one in progress and leaves it alone.
    await server.app.reconciliation.runNightly();
    await Promise.all([server.app.reconciliation.runWaiting(), server.app.reconciliation.runWaiting()]);
    const { runs } = await overview();
    expect(runs[0]).toMatchObject({ state: 'done', asked_by: 'admin Person' });
    expect(runs.filter(({ state }) => state !== 'done')).toEqual([]);
  });

  test('that was interrupted is replaced after ten minutes', async () => {
    await ask(people.tokens.admin);
    await own(`update reconciliation_runs set state = 'running' where state = 'waiting'`);
    expect((await ask(people.tokens.admin)).statusCode).toBe(409);
    await own(`update reconciliation_runs set beat_at = now() - interval '11 minutes' where state = 'running'`);
    await server.app.reconciliation.runNightly();
    const { runs } = await overview();
    expect(runs.slice(0, 2).map(({ state }) => state)).toEqual(['done', 'failed']);
  });
});

describe('an unresolved difference', () => {
  test('is reopened if the amounts differ from the explained ones, and stays if it is too old to be compared', async () => {
    const { id, charge } = await buy();
    await letTimePass(3);
    const differs = (cents: number) =>
      own(`update sandbox_provider.charges set fee_cents = fee_cents + $2 where id = $1`, [charge, cents]);
    const states = async () => {
      const rows = await server.data.ownerQuery<{ state: string }>(
        `select state from reconciliation_differences where kind = 'fee_differs' and subject = $1 order by id desc limit 1`,
        [`order ${id}`],
      );
      return rows.map(({ state }) => state);
    };
    await differs(1);
    const { differences } = await compare();
    const found = differences.find(({ kind, order_id }) => kind === 'fee_differs' && order_id === id);
    await server.call({
      method: 'PUT',
      url: `/api/v1/reconciliation/differences/${found?.id ?? 0}`,
      as: people.tokens.admin,
      payload: { state: 'explained', note: 'A cent of rounding.' },
    });
    await compare();
    expect(await states()).toEqual(['explained']);
    await differs(500);
    await compare();
    expect(await states()).toEqual(['open']);
    await letTimePass(36 * 24);
    await own(`update reconciliation_differences set first_seen_at = first_seen_at - interval '36 days'`);
    await compare();
    expect(await states()).toEqual(['open']);
    await letTimePass(-36 * 24);
    await differs(-501);
    await compare();
    expect(await states()).toEqual(['closed']);
  });
});

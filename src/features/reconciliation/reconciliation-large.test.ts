/**
 * The comparison with much data: it ends, reports nothing that agrees, and finds one difference of each kind among all the
 * payments. `RECONCILIATION_PAYMENTS=100000` compares as many as a busy season has, and reports the duration.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { DIFFERENCE_KINDS } from '#src/features/reconciliation/reconciliation.contract.ts';
import { createApp } from '#src/app.ts';
import { makePayments } from '#tests/load/made-payments.ts';
import { settleNeighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { cents } from '#src/shared/money.ts';

const PAYMENTS = Number(process.env['RECONCILIATION_PAYMENTS'] ?? 3_000);
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const own = (text: string, values: unknown[] = []) => server.data.ownerQuery<{ id: number }>(text, values);
let admin: Awaited<ReturnType<typeof callerOf>>;

beforeAll(async () => {
  admin = await callerOf(server, (await settleNeighborhood(server)).tokens.admin);
  await makePayments(server.data.ownerUrl, PAYMENTS);
}, 300_000);

/** A provider that refuses refunds leaves charges of failed orders to a person. */
async function compare() {
  const refuse = async () => ({ state: 'declined', code: 'refused', message: 'Not today.' }) as const;
  const { reconciliation } = createApp({
    ...server.platform,
    payments: { ...server.platform.payments, refund: refuse },
  });
  const begun = performance.now();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  await reconciliation.runNightly();
  clearInterval(timer);
  if (process.env['RECONCILIATION_PAYMENTS'] !== undefined) {
    const [ms, mb] = [performance.now() - begun, (most - before) / 1024 / 1024];
    process.stdout.write(`${PAYMENTS} payments: ${Math.round(ms)} ms, memory grew by ${Math.round(mb)} MB\n`);
  }
  const { runs, differences } = await server.app.reconciliation.overview(admin, 'open', null);
  return { run: runs[0], differences };
}

// One test, so that the many payments are created only once.
test(
  'of books with many payments only differences are told, and one of each kind is found',
  { timeout: 300_000 },
  async () => {
    const { run, differences: before } = await compare();
    expect(before).toEqual([]);
    expect(run).toMatchObject({ state: 'done', found: 0 });
    expect(run?.figures['charges']?.ours.count).toBe(PAYMENTS);
    for (const { ours, theirs } of Object.values(run?.figures ?? {})) expect(ours).toEqual(theirs);
    expect(run?.figures['bank']?.theirs.count).toBe(Math.ceil(PAYMENTS / 5_000));
    await plantDifferences();
    const { differences } = await compare();
    const found = new Set(differences.map(({ kind }) => kind));
    expect([...found].toSorted()).toEqual(DIFFERENCE_KINDS.toSorted());
  },
);

/** One of each kind. */
async function plantDifferences(): Promise<void> {
  const chosen = (await own(`select id from orders where id % 20 = 3 and id % 50 <> 1 order by random() limit 10`)).map(
    ({ id }) => id,
  );
  const at = (index: number) => chosen[index] ?? 0;
  const change = (text: string, index: number) => own(text, [at(index)]);
  await change(`update payment_attempts set provider_ref = 'ch_gone' where order_id = $1`, 0);
  await change(`update sandbox_provider.charges set amount_cents = amount_cents + 1 where id = 'ch_season_' || $1`, 1);
  await change(`update sandbox_provider.charges set fee_cents = fee_cents + 1 where id = 'ch_season_' || $1`, 2);
  await change(
    `insert into sandbox_provider.refunds (id, charge_id, amount_cents, created_at)
     values ('re_planted', 'ch_season_' || $1, 50, now() - interval '2 hours')`,
    3,
  );
  await change(
    `insert into sandbox_provider.disputes (id, charge_id, amount_cents, created_at)
     values ('dp_planted', 'ch_season_' || $1, 50, now() - interval '2 hours')`,
    4,
  );
  const stray = async (idempotencyKey: string) => {
    const source = { token: (await payWith(server)).id };
    const charge = { idempotencyKey, source, amountCents: cents(999), description: 'Stray', metadata: {} };
    const made = await server.platform.payments.charge(charge);
    if (made.state !== 'succeeded') throw new Error('the card was not charged');
    await server.data.ownerQuery(
      `update sandbox_provider.charges set created_at = created_at - interval '3 hours' where id = $1`,
      [made.chargeId],
    );
  };
  await stray(randomUUID());
  const failed = randomUUID();
  await own(
    `insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, decided_at)
     select id, organization_id, 'charge', $2, 999, 'failed', now() from orders where id = $1`,
    [at(7), failed],
  );
  await stray(failed);
  await change(`update orders set status = 'pending', created_at = created_at - interval '1 hour' where id = $1`, 5);
  await change(`update orders set subtotal_cents = 0, donation_cents = 0 where id = $1`, 6);
  await own(
    `update sandbox_provider.payouts set amount_cents = amount_cents + 1 where id = (select min(id) from sandbox_provider.payouts)`,
  );
  await server.data.ownerQuery(
    `with transfer as (
       insert into ledger_txs (kind, source_type, source_id, posted_at)
       values ('provider_payout', 'provider_payout', 'po_gone', now() - interval '3 hours') returning id
     )
     insert into ledger_entries (tx_id, account_id, amount_cents)
     select t.id, a.id, case a.kind when 'bank' then 5 else -5 end
       from transfer t, ledger_accounts a where a.organization_id is null and a.kind in ('bank', 'provider_clearing')`,
  );
}

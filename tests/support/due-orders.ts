/** Paid orders with their charges and their sales in the ledger, as checkout leaves them; for tests of payouts. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { estimateFee, postings } from '#src/features/ledger/ledger.rules.ts';
import { cents } from '#src/shared/money.ts';
import { owedTo as owedBy } from '#tests/support/balances.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { DAY_MS } from '#src/shared/dates.ts';

export type DueOrder = { id: number; vanityId: string; totalCents: number };
export type DuePlan = {
  /** The subtotal of each order, in cents. */
  amounts: readonly number[];
  daysAgo?: number;
  processor?: 'platform' | 'custom';
  status?: 'paid' | 'pending' | 'failed';
};

export async function sellDue(server: TestServer, organizationId: number, plan: DuePlan): Promise<DueOrder[]> {
  const { amounts, daysAgo = 40, processor = 'platform', status = 'paid' } = plan;
  const soldAt = new Date(Date.now() - daysAgo * DAY_MS);
  const orders = amounts.map((amount) => ({ amount, vanityId: randomBytes(16).toString('base64url') }));
  const rows = await server.data.ownerQuery<{ id: number; vanity_id: string }>(
    `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                         subtotal_cents, tax_cents, donation_cents, share_bps, processor, created_at, paid_at)
     select sold.vanity_id, $1, sold.vanity_id, '\\x00', $4, 'Maria', 'Jensen', 'maria@families.test', sold.amount, 0, 0, 2000, $5,
            $6, case when $4 = 'paid' then $6::timestamptz end
       from unnest($2::text[], $3::integer[]) as sold (vanity_id, amount) returning id, vanity_id`,
    [organizationId, orders.map((order) => order.vanityId), amounts, status, processor, soldAt],
  );
  const idOf = new Map(rows.map((row) => [row.vanity_id, row.id]));
  const sold = orders.map(({ amount, vanityId }) => ({ id: idOf.get(vanityId) ?? 0, vanityId, totalCents: amount }));
  if (status !== 'paid') return sold;
  const charged = sold.filter((order) => order.totalCents > 0);
  await server.data.ownerQuery(
    `insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, provider_ref, fee_cents, sent_at, decided_at)
     select charge.order_id, $1, 'charge', charge.key, charge.amount, 'succeeded', 'ch_' || charge.key, charge.fee, now(), now()
       from unnest($2::bigint[], $3::uuid[], $4::integer[], $5::integer[]) as charge (order_id, key, amount, fee)`,
    [
      organizationId,
      charged.map((order) => order.id),
      charged.map(() => randomUUID()),
      charged.map((order) => order.totalCents),
      charged.map((order) => estimateFee(cents(order.totalCents))),
    ],
  );
  const ledger = createLedgerService(server.platform);
  await server.platform.database.write({ kind: 'system', why: 'test' }, async (tx) => {
    for (const order of sold) {
      const sale = {
        orderId: order.id,
        organizationId,
        subtotalCents: cents(order.totalCents),
        taxCents: cents(0),
        donationCents: cents(0),
        shareBps: 2000,
        feeCents: estimateFee(cents(order.totalCents)),
      };
      await ledger.post(tx, processor === 'custom' ? postings.ownAccountSale(sale) : postings.sale(sale), soldAt);
    }
  });
  return sold;
}

/** An organization's part of a sale: four fifths minus the card fee. */
export const shareOf = (amount: number): number => amount - Math.round(amount * 0.2) - estimateFee(cents(amount));

/** What the ledger owes to an organization. */
export const owedTo = (server: TestServer, organizationId: number): Promise<number> =>
  owedBy(server.data, organizationId);

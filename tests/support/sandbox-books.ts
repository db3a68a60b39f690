/** The sandbox's own books, as tests compare them with the product's, and the actions of cardholders' banks. */
import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '#tests/support/test-database.ts';

type Books = Pick<TestDatabase, 'ownerQuery'>;

export type BookedCharge = {
  id: string;
  idempotency_key: string | null;
  amount_cents: number;
  fee_cents: number;
  refunded_cents: number;
  status: 'succeeded' | 'declined';
  metadata: unknown;
  account_organization_id: number | null;
};

/** Every charge with its refunds, oldest first. */
export function listCharges(db: Books): Promise<BookedCharge[]> {
  return db.ownerQuery<BookedCharge>(`
    select c.id, k.key as idempotency_key, c.amount_cents, c.fee_cents, c.status, c.metadata, c.account_organization_id,
           coalesce((select sum(amount_cents) from sandbox_provider.refunds where charge_id = c.id), 0)::int as refunded_cents
      from sandbox_provider.charges c left join sandbox_provider.idempotency_keys k on k.charge_id = c.id
     order by c.created_at, c.id`);
}

/** A customer disputes a charge with their bank; returns the dispute's id. The amount is withdrawn until it is won. */
export async function openDispute(db: Books, chargeId: string, amountCents: number): Promise<string> {
  const id = `dp_${randomBytes(12).toString('base64url')}`;
  await db.ownerQuery(
    "insert into sandbox_provider.disputes (id, charge_id, amount_cents, reason) values ($1, $2, $3, 'fraudulent')",
    [id, chargeId, amountCents],
  );
  return id;
}

export async function closeDispute(db: Books, id: string, status: 'won' | 'lost'): Promise<void> {
  await db.ownerQuery(
    "update sandbox_provider.disputes set status = $2, closed_at = now() where id = $1 and status = 'open'",
    [id, status],
  );
}

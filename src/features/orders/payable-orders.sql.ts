/** What a payout must know of orders. */
import { sql } from 'kysely';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import type { Writer } from '#src/platform/db/db.ts';

export type PayableOrder = {
  id: number;
  organizationId: number;
  status: OrderStatus;
  processor: 'platform' | 'custom';
  paidAt: Date | null;
  /** A dispute of it has not been decided. */
  isInDispute: boolean;
};

/**
 * The orders under a lock, taken in the order of their ids, so that two payouts never wait for each other in a circle. The lock leaves
 * their keys free: another payout may write a line for an order of this one.
 */
export async function lockPayableOrders(tx: Writer, ids: readonly number[]): Promise<PayableOrder[]> {
  const { rows } = await sql<PayableOrder>`
    select id, organization_id as "organizationId", status, processor, paid_at as "paidAt",
           exists (select from payment_disputes d where d.order_id = orders.id and d.status = 'open') as "isInDispute"
      from orders where id = any (${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
  return rows;
}

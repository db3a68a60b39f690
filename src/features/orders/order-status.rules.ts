/** What an order is called, once its refunds and disputes are known. */
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';

type Dispute = { status: 'open' | 'won' | 'lost' };

/** An open or lost dispute outweighs refunds: the money is away or held, and nothing may be paid out of it. */
export function statusOfSold(
  totalCents: number,
  refundedCents: number,
  disputes: readonly Dispute[],
): Extract<OrderStatus, 'paid' | 'partially_refunded' | 'refunded' | 'disputed'> {
  if (disputes.some((dispute) => dispute.status !== 'won')) return 'disputed';
  if (refundedCents <= 0) return 'paid';
  return refundedCents >= totalCents ? 'refunded' : 'partially_refunded';
}

/** The steps from what is known of a dispute to its status: one that is first heard of when it is closed was open before. */
export function stepsOfDispute(
  known: Dispute['status'] | undefined,
  now: Dispute['status'],
): ('opened' | 'won' | 'lost')[] {
  const steps: ('opened' | 'won' | 'lost')[] = known === undefined ? ['opened'] : [];
  if (now !== 'open' && (known === undefined || known === 'open')) steps.push(now);
  return steps;
}

/** How a checkout ended, for the metrics: one of a few words. */
import type { OrderPlaced } from '#src/features/orders/orders.contract.ts';
import { isProblem, type ProblemCode } from '#src/shared/problem.ts';

/** `confirming`: the provider's response is lost. `bank asks`: 3-D Secure waits for the buyer. */
export const CHECKOUT_OUTCOMES = [
  'paid',
  'free',
  'confirming',
  'bank asks',
  'declined',
  'price changed',
  'invalid',
  'too many',
  'failed',
] as const;
type CheckoutOutcome = (typeof CHECKOUT_OUTCOMES)[number];

export function outcomeOfOrder({ status, total, requires_action: action }: OrderPlaced): CheckoutOutcome {
  if (status === 'pending') return action ? 'bank asks' : 'confirming';
  return total === 0 ? 'free' : 'paid';
}

const REFUSALS: Partial<Record<ProblemCode, CheckoutOutcome>> = {
  card_refused: 'declined',
  conflict: 'price changed',
  invalid: 'invalid',
  not_found: 'invalid',
  forbidden: 'invalid',
  too_many: 'too many',
};

/** Everything else is our fault, or that of a system that we call. */
export function outcomeOfRefusal(error: unknown): CheckoutOutcome {
  return (isProblem(error) ? REFUSALS[error.code] : undefined) ?? 'failed';
}

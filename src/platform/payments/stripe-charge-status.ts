/** The status of a charge: its outcome, refunds and disputes. */
import type Stripe from 'stripe';
import type { ChargeOutcome, DisputeFacts, ChargeStatus } from '#src/platform/payments/payments.ts';
import { KEY_NAME } from '#src/platform/payments/stripe-charges.ts';
import { cents } from '#src/shared/money.ts';

/** Disputes of one charge; there are never more than a handful. */
const DISPUTES_AT_MOST = 20;

export async function chargeStatusOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
  outcome: ChargeOutcome,
): Promise<ChargeStatus> {
  const disputes = charge?.disputed
    ? (await stripe.disputes.list({ payment_intent: intent.id, limit: DISPUTES_AT_MOST })).data
    : [];
  return {
    idempotencyKey: intent.metadata[KEY_NAME] ?? null,
    outcome,
    amountCents: cents(intent.amount),
    refundedCents: cents(charge?.amount_refunded ?? 0),
    disputes: disputes.map(factsOf).filter((dispute) => dispute !== null),
  };
}

/** Null for early warnings, which move no money. */
function factsOf(dispute: Stripe.Dispute): DisputeFacts | null {
  if (dispute.status.startsWith('warning_') || dispute.status === 'prevented') return null;
  const status = dispute.status === 'won' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open';
  return { id: dispute.id, amountCents: cents(dispute.amount), status, reason: dispute.reason || null };
}

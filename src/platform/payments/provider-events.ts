/**
 * Webhooks of a card provider. An event is only a hint: only the charge or dispute is read from it, and its status is
 * then queried from the provider, so that order, delay and repetition of events do not matter.
 */
import Stripe from 'stripe';

export type ProviderEvent = {
  id: string;
  type: string;
  /** The charge it refers to (Stripe's payment intent); null for kinds that we ignore. */
  chargeRef: string | null;
};

/** Parses an event whose signature over the raw body is valid and at most five minutes old; null for any other. */
export type ReadProviderEvent = (rawBody: Buffer, signature: string | undefined) => ProviderEvent | null;

const TOLERANCE_SECONDS = 300;

export function stripeEventReader(signingSecret: string): ReadProviderEvent {
  return (rawBody, signature) => {
    if (signature === undefined) return null;
    try {
      const event = Stripe.webhooks.constructEvent(rawBody, signature, signingSecret, TOLERANCE_SECONDS);
      return readEvent(event);
    } catch {
      return null;
    }
  };
}

/** The fields of an event that are needed, and nothing else. */
export function readEvent(event: Stripe.Event): ProviderEvent {
  return { id: event.id, type: event.type, chargeRef: chargeOf(event.data.object) };
}

/** Events of intents name themselves; those of charges, refunds and disputes name their intent. */
function chargeOf(object: object): string | null {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>;
  if (kind === 'payment_intent') return textOf(id);
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return null;
  return textOf(typeof intent === 'object' && intent !== null ? (intent as { id?: unknown }).id : intent);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.length <= 255 ? value : null);

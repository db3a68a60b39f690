/**
 * Webhooks of a card provider. An event is only a hint to look: only the charge or dispute is read from it,
 * and its status is asked of the provider, so that order, lateness and repetition of events do not matter.
 */
import Stripe from 'stripe';

export type ProviderEvent = {
  id: string;
  type: string;
  /** The charge it is about (Stripe's payment intent); null for kinds that we do nothing about. */
  chargeRef: string | null;
};

/** Reads an event whose signature over the raw body is right and at most five minutes old; null for any other. */
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

/** What is needed of an event, and nothing else. */
export function readEvent(event: Stripe.Event): ProviderEvent {
  return { id: event.id, type: event.type, chargeRef: chargeOf(event.data.object) };
}

/** Intents tell of themselves, charges, refunds and disputes name theirs. */
function chargeOf(object: object): string | null {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>;
  if (kind === 'payment_intent') return textOf(id);
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return null;
  return textOf(typeof intent === 'object' && intent !== null ? (intent as { id?: unknown }).id : intent);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.length <= 255 ? value : null);

import type { Cents } from '#src/shared/money.ts';

/**
 * A card provider. The sandbox (`sandbox-provider.ts`) and later Stripe keep these rules:
 * the same idempotency key with the same content answers the same charge; with other
 * content it is refused. Never called inside a database transaction.
 */
export type CardFacts = { brand: string; last4: string; expMonth: number; expYear: number };

export type ChargeRequest = {
  /** Stored before the call; makes a retry safe. */
  idempotencyKey: string;
  token: string;
  amountCents: Cents;
  description: string;
  /** Kept by the provider, so that an unknown outcome can be found again (order's public id). */
  metadata: Record<string, string>;
};

export type ChargeOutcome =
  | { state: 'succeeded'; chargeId: string; feeCents: Cents | null; card: CardFacts }
  /** The provider's own words, shown to the buyer as they are. */
  | { state: 'declined'; message: string; code: string }
  /** The reply was lost or the provider failed half-way: ask again with `findCharge`. */
  | { state: 'unknown'; cause: unknown };

export type FoundCharge =
  | { state: 'succeeded'; chargeId: string; amountCents: Cents; feeCents: Cents | null; card: CardFacts }
  | { state: 'declined'; message: string; code: string }
  /** The provider has never seen this key: nothing was charged and nothing will be. */
  | { state: 'absent' }
  | { state: 'unknown'; cause: unknown };

export type PaymentProvider = {
  readonly name: 'sandbox' | 'stripe';
  /** Never rejects for what a card or a network can do: those are outcomes. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** What became of a charge. After 'absent' the key is closed: a late `charge` with it is declined. */
  findCharge(idempotencyKey: string): Promise<FoundCharge>;
  /** The card behind a token, without using it up; null when the token is unknown, used or older than 10 minutes. */
  cardOf(token: string): Promise<CardFacts | null>;
  close(): Promise<void>;
};

/**
 * A card provider. The sandbox (`sandbox-provider.ts`) and Stripe (`stripe-provider.ts`) follow these rules: the same
 * idempotency key with the same content returns the same charge; with other content it is refused. Never called inside
 * a database transaction.
 */
import type { Cents } from '#src/shared/money.ts';
import type { ProviderEvent } from '#src/platform/payments/provider-events.ts';

export type CardFacts = { brand: string; last4: string; expMonth: number; expYear: number };

/** The seller's own account at the provider (rule 7); if a request names none, the platform's is used. */
export type ProcessorAccount = { organizationId: number; secretKey: string };

/** A card that was just entered, or one that was saved by an earlier charge (`savedCard` of its outcome). */
export type CardSource = { token: string } | { savedCard: string };

export type ChargeRequest = {
  /** Stored before the call; makes a retry safe. */
  idempotencyKey: string;
  source: CardSource;
  amountCents: Cents;
  description: string;
  /** Stored by the provider, so that an unknown outcome can be found again (order's public id). */
  metadata: Record<string, string>;
  /** Saves the card for later charges without its holder; the outcome then contains `savedCard`. */
  keepCard?: { email: string; name: string };
  account?: ProcessorAccount;
};

/** A refusal. `message` may be shown to the buyer unchanged; `code` is the provider's own. */
export type Declined = { state: 'declined'; message: string; code: string };
export type Unknown = { state: 'unknown'; cause: unknown };

export type Succeeded = {
  state: 'succeeded';
  chargeId: string;
  /** The provider's fee; null while it is unknown. */
  feeCents: Cents | null;
  card: CardFacts;
  /** Null unless the card was to be saved. */
  savedCard: string | null;
};
/** The card's bank wants to authenticate its holder (3-D Secure): the browser continues with the client secret. */
export type RequiresAction = { state: 'requires_action'; chargeId: string; clientSecret: string };

/** Unknown: the reply was lost or the provider failed in between; `findCharge` finds out. */
export type ChargeOutcome = Succeeded | Declined | RequiresAction | Unknown;

export type FoundCharge =
  | (Succeeded & { amountCents: Cents })
  | Declined
  | RequiresAction
  /** The provider has never seen this key: nothing was charged and nothing will be. */
  | { state: 'absent' }
  | Unknown;

/** Helps to find a charge whose reply was lost. */
export type ChargeQuestion = {
  idempotencyKey: string;
  account?: ProcessorAccount;
  /** The provider's id, if an earlier answer contained it. */
  chargeId?: string | null;
  /** About when the charge was sent. */
  sentAt?: Date;
  /** Cancels a charge that still waits for its buyer (3-D Secure); it is then declined, unless it was paid at that moment. */
  giveUp?: boolean;
};

export type RefundRequest = {
  idempotencyKey: string;
  chargeId: string;
  amountCents: Cents;
  account?: ProcessorAccount;
};
export type RefundOutcome = { state: 'succeeded'; refundId: string } | Declined | Unknown;
/** Absent: the provider has no refund under this key. */
export type FoundRefund = RefundOutcome | { state: 'absent' };

/** Amounts are the provider's; a dispute is won or lost from the seller's side. */
export type DisputeFacts = { id: string; amountCents: Cents; status: 'open' | 'won' | 'lost'; reason: string | null };

/** The status of a charge now, whatever events came before and in whichever order. */
export type ChargeStatus = {
  /** The key of its request; null for a charge that is not ours. */
  idempotencyKey: string | null;
  outcome: ChargeOutcome;
  amountCents: Cents;
  refundedCents: Cents;
  disputes: readonly DisputeFacts[];
};

export type PaymentProvider = {
  readonly name: 'sandbox' | 'stripe';
  /** Never rejects for failures of a card or a network: those are outcomes. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** The outcome of a charge. After 'absent' the key is closed: a late `charge` with it is declined. */
  findCharge(question: ChargeQuestion): Promise<FoundCharge>;
  /** Refunds all or part of a charge; the same key refunds once. A full refund right after the charge undoes it. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** The outcome of a refund whose reply was lost. Closes nothing: a `refund` with the same key may follow. */
  findRefund(request: RefundRequest): Promise<FoundRefund>;
  /** Everything about one charge, by its id. @throws if the provider does not answer or does not know it. */
  chargeStatus(chargeId: string, account?: ProcessorAccount): Promise<ChargeStatus>;
  /** The provider's events since then, whether or not they reached us. @throws if the provider does not answer */
  eventsSince?(since: Date): Promise<readonly ProviderEvent[]>;
  /** Whether the provider knows a seller's secret key. @throws unavailable while the provider does not answer */
  knowsAccount?(account: ProcessorAccount): Promise<boolean>;
  /** Every movement of the platform's own balance in that time; sellers' accounts are not included. */
  books?: ReadBooks;
  /** The card behind a token, without using it up; null if the token is unknown, used or too old. */
  cardOf(token: string): Promise<CardFacts | null>;
  close(): Promise<void>;
};

/** Our own messages, for faults that are not the card's: the provider's are written for programmers. */
export const CARD_ENTRY_SPENT =
  'This card entry can no longer be used, and nothing was charged. Please enter the card again.';
export { PAYMENT_UNAVAILABLE } from '#src/shared/card-token.ts';
export const CHARGE_NOT_POSSIBLE = 'The payment could not be made, and nothing was charged. Please try again.';

const NOT_THE_CARDS_FAULT: ReadonlySet<string> = new Set([
  'resource_missing',
  'token_already_used',
  'token_expired',
  'card_entry_spent',
  'idempotency_error',
  'idempotency_key_closed',
  'parameter_invalid_integer',
  'request_refused',
]);

/**
 * Whether a bank refused a card. A spent token or an invalid request says nothing about the card, and is not counted
 * (threat 37).
 */
export function isCardDecline(declined: Declined): boolean {
  return !NOT_THE_CARDS_FAULT.has(declined.code);
}

/** The card provider's records of the money it holds for us: every movement, page by page, for comparing with our own books. */
export type BookLine = {
  /** The provider's own id of the movement; the same in every query. */
  ref: string;
  /** `other`: its own fees, corrections and kinds that we do not know. */
  kind: 'charge' | 'refund' | 'dispute' | 'payout' | 'other';
  at: Date;
  /** The charge it refers to, as `chargeId` of an outcome names it; null for payouts and others. */
  chargeRef: string | null;
  /** The key of the charge; null if it is not ours. */
  idempotencyKey: string | null;
  /** The order's public id as it was sent with the charge. */
  orderRef: string | null;
  /** + entered our balance at the provider, - left it; before its fee. */
  amountCents: Cents;
  /** The provider's fee; null while it is unknown. */
  feeCents: Cents | null;
  /** Of a payout to our bank: the sum of its movements, without fees. Null if the provider does not report it. */
  partsCents: Cents | null;
};

/** A span of time; its end is exclusive. */
export type BookRange = { from: Date; to: Date };
/** Pages of lines, in any order. @throws if the provider does not answer */
type ReadBooks = (range: BookRange) => AsyncIterable<readonly BookLine[]>;

/** What a card provider says of the money it holds for us: every movement, page by page, for comparing with our own books. */
import type { Cents } from '#src/shared/money.ts';

export type BookLine = {
  /** The provider's own name of the movement; the same each time it is asked. */
  ref: string;
  /** `other`: its own fees, corrections and what it may invent. */
  kind: 'charge' | 'refund' | 'dispute' | 'payout' | 'other';
  at: Date;
  /** The charge it is about, as `chargeId` of an outcome names it; null for payouts and others. */
  chargeRef: string | null;
  /** With which the charge was made; null for what is not ours. */
  idempotencyKey: string | null;
  /** The order's public id as it was sent with the charge. */
  orderRef: string | null;
  /** + came to our balance at the provider, - left it; before its fee. */
  amountCents: Cents;
  /** What it kept of it; null while it has not told. */
  feeCents: Cents | null;
  /** Of a payout to our bank: what the movements in it sum to, fees taken off. Null where the provider does not tell. */
  partsCents: Cents | null;
};

/** A span of time; its end does not belong to it. */
export type BookRange = { from: Date; to: Date };
/** Pages of lines, in any order. @throws when the provider does not answer */
export type ReadBooks = (range: BookRange) => AsyncIterable<readonly BookLine[]>;

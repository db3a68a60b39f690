/**
 * Who moves the money of a payout. By hand: people at the platform send a bank transfer or a check and confirm it by its reference.
 * A provider of transfers would have the same interface; none is connected yet.
 */
import type { Cents } from '#src/shared/money.ts';

export type Transfer = {
  /** The same transfer asked for twice under one key moves money once. */
  key: string;
  organizationId: number;
  amountCents: Cents;
  /** What the bank writes on it. */
  text: string;
};

export type TransferOutcome =
  /** Taken, and not yet arrived. */
  | { state: 'submitted'; ref: string }
  | { state: 'paid'; ref: string }
  | { state: 'refused'; message: string }
  /** Not known: ask again under the same key. */
  | { state: 'unknown'; cause: unknown };

/** Absent: the provider has no transfer under this key, and from now on takes none: sending it later is answered with `refused`. */
export type FoundTransfer = TransferOutcome | { state: 'absent' };

export type PayoutSender =
  | { readonly mode: 'manual' }
  | {
      readonly mode: 'provider';
      send(transfer: Transfer): Promise<TransferOutcome>;
      /** The outcome of a transfer, by its key; one that was never sent is closed. */
      find(key: string): Promise<FoundTransfer>;
    };

export const BY_HAND: PayoutSender = { mode: 'manual' };

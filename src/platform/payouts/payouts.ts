/**
 * Who transfers the money of payouts. Manually: platform admins send a bank transfer or a check and confirm it with its
 * reference. A transfer provider would have the same interface; none is connected yet.
 */
import type { Cents } from '#src/shared/money.ts';

export type Transfer = {
  /** The same transfer requested twice under one key moves money once. */
  key: string;
  organizationId: number;
  amountCents: Cents;
  /** The text on the bank statement. */
  text: string;
};

export type TransferOutcome =
  /** Accepted, but not yet arrived. */
  | { state: 'submitted'; ref: string }
  | { state: 'paid'; ref: string }
  | { state: 'refused'; message: string }
  /** Unknown: ask again under the same key. */
  | { state: 'unknown'; cause: unknown };

/**
 * Absent: the provider has no transfer under this key, and from now on accepts none: sending it later is answered with
 * `refused`.
 */
export type FoundTransfer = TransferOutcome | { state: 'absent' };

export type PayoutSender =
  | { readonly mode: 'manual' }
  | {
      readonly mode: 'provider';
      send(transfer: Transfer): Promise<TransferOutcome>;
      /** The outcome of a transfer, by its key; a transfer that was never sent is closed. */
      find(key: string): Promise<FoundTransfer>;
    };

export const BY_HAND: PayoutSender = { mode: 'manual' };

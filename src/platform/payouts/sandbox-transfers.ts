/** A provider of transfers that keeps its books in memory, for tests of what a pay-out does when one answers, refuses or is silent. */
import { randomUUID } from 'node:crypto';
import type { PayoutSender, Transfer, TransferOutcome } from '#src/platform/payouts/payouts.ts';

/** What happens next: `lose_reply` moves the money and does not say so, `fail` does neither. */
export type TransferFault = 'none' | 'refuse' | 'lose_reply' | 'fail';

export type SandboxTransfers = Extract<PayoutSender, { mode: 'provider' }> & {
  /** Everything that was moved, in its order. */
  readonly moved: readonly (Transfer & { ref: string })[];
  /** For the next transfer alone. */
  failNext(fault: TransferFault): void;
};

export function openSandboxTransfers(): SandboxTransfers {
  const moved: (Transfer & { ref: string })[] = [];
  let next: TransferFault = 'none';

  function move(transfer: Transfer): string {
    const before = moved.find(({ key }) => key === transfer.key);
    if (before) return before.ref;
    const ref = `tr_${randomUUID()}`;
    moved.push({ ...transfer, ref });
    return ref;
  }

  return {
    mode: 'provider',
    moved,
    failNext: (fault) => void (next = fault),
    async send(transfer): Promise<TransferOutcome> {
      const fault = next;
      next = 'none';
      if (fault === 'refuse') return { state: 'refused', message: 'The account cannot take transfers.' };
      if (fault === 'fail') return { state: 'unknown', cause: new Error('the provider of transfers does not answer') };
      const ref = move(transfer);
      if (fault === 'lose_reply') return { state: 'unknown', cause: new Error('the answer was lost') };
      return { state: 'paid', ref };
    },
  };
}

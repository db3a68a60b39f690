/** A transfer provider with books in memory, for tests of payouts when it answers, refuses or does not answer. */
import { randomUUID } from 'node:crypto';
import type { FoundTransfer, PayoutSender, Transfer, TransferOutcome } from '#src/platform/payouts/payouts.ts';

/**
 * What happens next: `lose_reply` moves the money without a response, `fail` does neither, `take` leaves it in
 * progress.
 */
export type TransferFault = 'none' | 'refuse' | 'lose_reply' | 'fail' | 'take';

export type SandboxTransfers = Extract<PayoutSender, { mode: 'provider' }> & {
  /** All transfers, in their order. */
  readonly moved: readonly (Transfer & { ref: string })[];
  /** For the next call only. */
  failNext(fault: TransferFault): void;
};

export function openSandboxTransfers(): SandboxTransfers {
  const moved: (Transfer & { ref: string })[] = [];
  const closed = new Set<string>();
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
      if (fault === 'fail') return { state: 'unknown', cause: new Error('the transfer provider does not respond') };
      if (closed.has(transfer.key)) return { state: 'refused', message: 'This transfer was called off.' };
      const ref = move(transfer);
      if (fault === 'take') return { state: 'submitted', ref };
      if (fault === 'lose_reply') return { state: 'unknown', cause: new Error('the answer was lost') };
      return { state: 'paid', ref };
    },
    async find(key): Promise<FoundTransfer> {
      const fault = next;
      next = 'none';
      if (fault === 'fail') return { state: 'unknown', cause: new Error('the transfer provider does not respond') };
      const sent = moved.find((transfer) => transfer.key === key);
      if (sent) return { state: fault === 'take' ? 'submitted' : 'paid', ref: sent.ref };
      closed.add(key);
      return { state: 'absent' };
    },
  };
}

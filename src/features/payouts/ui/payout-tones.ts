import type { PayoutStatus } from '#src/features/payouts/payouts.contract.ts';

/** The colour of a badge; its word says the same. */
export const TONES: Record<PayoutStatus, 'accent' | 'success' | 'danger' | 'neutral'> = {
  created: 'accent',
  submitted: 'accent',
  paid: 'success',
  failed: 'danger',
  canceled: 'neutral',
};

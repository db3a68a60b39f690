import type { ToldStatus } from '#src/features/payouts/payouts.contract.ts';

/** The color of a badge; its word says the same. */
export const TONES: Record<ToldStatus, 'accent' | 'success' | 'danger' | 'neutral'> = {
  created: 'accent',
  submitted: 'accent',
  paid: 'success',
  failed: 'danger',
  canceled: 'neutral',
  returned: 'danger',
};

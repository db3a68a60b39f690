import type { Cents } from '#src/shared/money.ts';

/**
 * Width of a goal's bar in percent (specification P§9): (sales + donations) / target × 100, at least
 * 5 and at most 100, to one decimal. Null without a target (rule 44).
 */
export function goalPercent(goal: {
  salesCents: Cents;
  donationCents: Cents;
  targetCents: Cents | null;
}): number | null {
  if (goal.targetCents === null || goal.targetCents <= 0) return null;
  const raised = goal.salesCents + goal.donationCents;
  const percent = Math.round((raised * 1000) / goal.targetCents) / 10;
  return Math.min(100, Math.max(5, percent));
}

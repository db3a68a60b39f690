/** Plans and shares as platform admins agree them (rule 18). */
import { expect, test } from 'vitest';
import { keepsOfEnterprise, keepsOfPlan, type TermsChanges } from '#src/features/codes/terms.contract.ts';
import { changedTerms, type Terms } from '#src/features/codes/terms.rules.ts';
import { planOf } from '#src/features/tenancy/plans.rules.ts';

test.each([
  [true, 2_000, 'free'],
  [true, 0, 'free'],
  [false, 2_000, 'premium'],
  [false, 2_500, 'premium'],
  [false, 1_999, 'enterprise'],
  [false, 0, 'enterprise'],
] as const)('free tier %s and a share of %d is %s', (freeTier, shareBps, plan) => {
  expect(planOf({ freeTier, shareBps })).toBe(plan);
});

const flags = { takesPromoCodes: false, reportsBuyerColumns: false, shownOnHomePage: false };
const FREE: Terms = { plan: 'free', shareBps: 2_000, ...flags };
const PREMIUM: Terms = { plan: 'premium', shareBps: 2_000, ...flags };
const CONTRACT: Terms = { plan: 'enterprise', shareBps: 1_000, ...flags };
const BY_HAND: Terms = { plan: 'premium', shareBps: 2_500, ...flags };

test.each<[string, Terms, TermsChanges, Terms]>([
  ['nothing', FREE, {}, FREE],
  ['a flag', FREE, { takes_promo_codes: true }, { ...FREE, takesPromoCodes: true }],
  [
    'a flag where the share was set by hand',
    BY_HAND,
    { reports_buyer_columns: true },
    { ...BY_HAND, reportsBuyerColumns: true },
  ],
  ['Premium', FREE, { plan: 'premium' }, PREMIUM],
  [
    'Enterprise with all of it',
    FREE,
    { plan: 'enterprise', keeps_percent: 10_000 },
    { ...FREE, plan: 'enterprise', shareBps: 0 },
  ],
  [
    'Enterprise just above the plans',
    PREMIUM,
    { plan: 'enterprise', keeps_percent: 8_001 },
    { ...PREMIUM, plan: 'enterprise', shareBps: 1_999 },
  ],
  ['another share of a contract', CONTRACT, { keeps_percent: 9_250 }, { ...CONTRACT, shareBps: 750 }],
  ['a contract again, its share stays', CONTRACT, { plan: 'enterprise' }, CONTRACT],
  ['the end of a contract', CONTRACT, { plan: 'free' }, FREE],
  ['the share of the plan, said aloud', CONTRACT, { plan: 'premium', keeps_percent: 8_000 }, PREMIUM],
])('%s', (_what, before, changes, after) => {
  expect(changedTerms(before, changes)).toEqual({ terms: after });
});

test.each<[string, Terms, TermsChanges, string]>([
  ['Enterprise without a share', PREMIUM, { plan: 'enterprise' }, keepsOfEnterprise('80%')],
  ['Enterprise that keeps no more', PREMIUM, { plan: 'enterprise', keeps_percent: 8_000 }, keepsOfEnterprise('80%')],
  ['a contract that falls to it', CONTRACT, { keeps_percent: 8_000 }, keepsOfEnterprise('80%')],
  ['a share of its own for Premium', PREMIUM, { keeps_percent: 9_000 }, keepsOfPlan('80%')],
  ['a share of its own for Free', FREE, { plan: 'free', keeps_percent: 10_000 }, keepsOfPlan('80%')],
])('%s is refused', (_what, before, changes, sentence) => {
  expect(changedTerms(before, changes)).toEqual({ errors: { keeps_percent: [sentence] } });
});

/** The result of a change of an organization's terms. Pure. */
import { FREE_PLAN, percentText, PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import { keepsOfEnterprise, keepsOfPlan, type PlanId, type TermsChanges } from '#src/features/codes/terms.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** Basis points; `shareBps` is the platform's. */
export type Terms = {
  plan: PlanId;
  shareBps: number;
  takesPromoCodes: boolean;
  reportsBuyerColumns: boolean;
  shownOnHomePage: boolean;
};

/** The terms after a change, or its problem. A plan without its own share has that of the table. */
export function changedTerms(before: Terms, changes: TermsChanges): { terms: Terms } | { errors: FieldErrors } {
  const plan = changes.plan ?? before.plan;
  const given = changes.keeps_percent;
  const flags = {
    takesPromoCodes: changes.takes_promo_codes ?? before.takesPromoCodes,
    reportsBuyerColumns: changes.reports_buyer_columns ?? before.reportsBuyerColumns,
    shownOnHomePage: changes.shown_on_home_page ?? before.shownOnHomePage,
  };
  // A share that an operator set by hand stays unless plan or share is changed.
  if (changes.plan === undefined && given === undefined) return { terms: { ...before, ...flags } };
  if (plan === 'enterprise') {
    const keeps = given ?? (before.plan === 'enterprise' ? 10_000 - before.shareBps : 0);
    if (keeps <= PREMIUM_PLAN.sellerKeepsBps)
      return { errors: { keeps_percent: [keepsOfEnterprise(percentText(PREMIUM_PLAN.sellerKeepsBps))] } };
    return { terms: { plan, shareBps: 10_000 - keeps, ...flags } };
  }
  const keeps = plan === 'free' ? FREE_PLAN.sellerKeepsBps : PREMIUM_PLAN.sellerKeepsBps;
  if (given !== undefined && given !== keeps) return { errors: { keeps_percent: [keepsOfPlan(percentText(keeps))] } };
  return { terms: { plan, shareBps: 10_000 - keeps, ...flags } };
}

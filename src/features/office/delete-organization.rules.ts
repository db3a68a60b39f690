/** What keeps an organization from being deleted (rule 26). */
import {
  DISPUTE_IS_OPEN,
  HAS_AFFILIATES,
  isOwed,
  MAIN_STAYS,
  ORDER_IS_PENDING,
  owesUs,
  PAYOUT_IS_UNDER_WAY,
} from '#src/features/office/delete-organization.contract.ts';
import { cents, type Cents } from '#src/shared/money.ts';

export type Standing = {
  isRoot: boolean;
  hasAffiliates: boolean;
  /** An order or a refund whose outcome at the provider is not known yet. */
  hasPendingMoney: boolean;
  /** Below nothing: refunds have taken more than its sales brought. */
  owedCents: Cents;
  /** Our share of sales over its own card account that it has not paid. */
  shareDueCents: Cents;
  inPayoutCents: Cents;
  disputedCents: Cents;
};

/** Every reason as a sentence; empty when it may go. */
export function reasonsToStay(standing: Standing): string[] {
  const { owedCents, shareDueCents } = standing;
  const debtCents = cents(Math.max(0, -owedCents) + shareDueCents);
  return [
    ...(standing.isRoot ? [MAIN_STAYS] : []),
    ...(standing.hasAffiliates ? [HAS_AFFILIATES] : []),
    ...(standing.hasPendingMoney ? [ORDER_IS_PENDING] : []),
    ...(owedCents > 0 ? [isOwed(owedCents)] : []),
    ...(debtCents > 0 ? [owesUs(debtCents)] : []),
    ...(standing.inPayoutCents === 0 ? [] : [PAYOUT_IS_UNDER_WAY]),
    ...(standing.disputedCents === 0 ? [] : [DISPUTE_IS_OPEN]),
  ];
}

/** What prevents an organization from being deleted (rule 26). */
import * as words from '#src/features/office/delete-organization.contract.ts';
import { cents, type Cents } from '#src/shared/money.ts';

export type DeletionFacts = {
  isRoot: boolean;
  hasAffiliates: boolean;
  /** An order or a refund without a result from the provider. */
  hasPendingMoney: boolean;
  /** Negative: refunds were larger than its sales. */
  owedCents: Cents;
  /** Our unpaid share of sales on its own card account. */
  shareDueCents: Cents;
  inPayoutCents: Cents;
  disputedCents: Cents;
  /** Of codes that it sold. */
  unspentCreditCents: Cents;
};

/** Every reason as a sentence; empty if it may be deleted. */
export function reasonsToStay(facts: DeletionFacts): string[] {
  const { owedCents, shareDueCents } = facts;
  const debtCents = cents(Math.max(0, -owedCents) + shareDueCents);
  return [
    ...(facts.isRoot ? [words.MAIN_STAYS] : []),
    ...(facts.hasAffiliates ? [words.HAS_AFFILIATES] : []),
    ...(facts.hasPendingMoney ? [words.ORDER_IS_PENDING] : []),
    ...(owedCents > 0 ? [words.isOwed(owedCents)] : []),
    ...(debtCents > 0 ? [words.owesUs(debtCents)] : []),
    ...(facts.inPayoutCents === 0 ? [] : [words.PAYOUT_IS_UNDER_WAY]),
    ...(facts.disputedCents === 0 ? [] : [words.DISPUTE_IS_OPEN]),
    ...(facts.unspentCreditCents > 0 ? [words.hasUnspentCredit(facts.unspentCreditCents)] : []),
  ];
}

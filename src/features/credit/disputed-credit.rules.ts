/**
 * What disputes of its charge take of a code of credit (decision record 0130): as much money as the bank took, and that
 * money's part of the bonus, from what is left on the code. Amounts are integer cents.
 */

/** A code and the charge that bought it. */
export type DisputedCode = {
  paidCents: number;
  soldBonusCents: number;
  /** The balance, less what pending orders have reserved and what is being refunded to its card. */
  freeCents: number;
  freeBonusCents: number;
  /** Refunded to its card. */
  refundedCents: number;
  openCents: number;
  lostCents: number;
  /** Taken off the code for lost disputes so far. */
  keptCents: number;
  keptBonusCents: number;
};
export type MoneyAndBonus = { cents: number; bonusCents: number };

/** The part of the bonus that disputed money had brought, rounded up; all of it once none of the money is left with the seller. */
function bonusOf({ paidCents, soldBonusCents, refundedCents }: DisputedCode, disputedCents: number): number {
  if (disputedCents === 0) return 0;
  if (disputedCents + refundedCents >= paidCents) return soldBonusCents;
  return Math.ceil((soldBonusCents * disputedCents) / paidCents);
}

/** What the code still owes for these disputes. */
const missingOf = (code: DisputedCode, disputedCents: number): MoneyAndBonus => ({
  cents: Math.max(0, disputedCents - code.keptCents),
  bonusCents: Math.max(0, bonusOf(code, disputedCents) - code.keptBonusCents),
});

/** What can be spent: money of open disputes is held, and what lost ones took more than was left waits for refunds to the code. */
export function spendableOf(code: DisputedCode): MoneyAndBonus {
  const held = missingOf(code, code.openCents + code.lostCents);
  return {
    cents: Math.max(0, code.freeCents - held.cents),
    bonusCents: Math.max(0, code.freeBonusCents - held.bonusCents),
  };
}

/** What its seller, who paid for the lost disputes, keeps of the code now. */
export function keptOf(code: DisputedCode): MoneyAndBonus {
  const owed = missingOf(code, code.lostCents);
  return {
    cents: Math.min(owed.cents, Math.max(0, code.freeCents)),
    bonusCents: Math.min(owed.bonusCents, Math.max(0, code.freeBonusCents)),
  };
}

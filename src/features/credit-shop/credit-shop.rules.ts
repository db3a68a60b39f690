/** Decisions about offered credit: what a seller may offer, and when a gift is sent. */
import * as words from '#src/features/credit-shop/credit-shop.contract.ts';
import { shownCode } from '#src/features/credit/credit.rules.ts';
import type { BuyCredit, CreditSettings, SettingsAnswer } from '#src/features/credit-shop/credit-shop.contract.ts';
import { addDays } from '#src/shared/day-range.ts';
import { cents, toDollars } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/**
 * The page with the balance of a code. Browsers never send what follows # to a server, so the code is in no log.
 */
export const balancePath = (seller: string, code: string): string => `/${seller}/credit/balance#${shownCode(code)}`;

/** What a seller offers; null when nothing was ever set. */
export type Offered = { active: boolean; amounts: { cents: number; bonusCents: number }[]; bonusUntil: string | null };

export const USUAL: Offered = {
  active: false,
  amounts: words.DEFAULT_AMOUNTS.map((amount) => ({ cents: amount, bonusCents: 0 })),
  bonusUntil: null,
};

/** All problems of what a seller wants to offer, by field. */
export function problemsOf({ amounts, bonus_until: until }: CreditSettings, today: string): FieldErrors {
  const errors: FieldErrors = {};
  amounts.forEach(({ amount, bonus = cents(0) }, at) => {
    if (amount < words.LEAST_CENTS || amount > words.MOST_CENTS)
      errors[`amounts.${at}.amount`] = [words.AMOUNTS_NOT_VALID];
    else if (amounts.findIndex((other) => other.amount === amount) !== at)
      errors[`amounts.${at}.amount`] = [words.AMOUNTS_TWICE];
    if (bonus > amount) errors[`amounts.${at}.bonus`] = [words.BONUS_NOT_VALID];
  });
  if (until && until < today) errors['bonus_until'] = [words.BONUS_DAY_NOT_VALID];
  return errors;
}

export function presentOffered({ active, amounts, bonusUntil }: Offered): SettingsAnswer {
  return {
    active,
    amounts: amounts.map((each) => ({
      amount: toDollars(each.cents),
      bonus: toDollars(each.bonusCents),
    })),
    bonus_until: bonusUntil,
  };
}

/** What buyers are offered today, without a bonus that has ended. Null when nothing is sold. */
export function offeredToday(offered: Offered | null, today: string): Offered | null {
  if (!offered?.active) return null;
  const isOver = offered.bonusUntil !== null && offered.bonusUntil < today;
  if (!isOver) return offered;
  return { ...offered, bonusUntil: null, amounts: offered.amounts.map((each) => ({ ...each, bonusCents: 0 })) };
}

/** The day on which a gift is sent; null for a day that is not allowed. */
export function dayOfGift({ send_on: day }: NonNullable<BuyCredit['gift']>, today: string): string | null {
  const wanted = day || today;
  return wanted >= today && wanted <= addDays(today, words.MAX_DAYS_AHEAD) ? wanted : null;
}

/** The content of an order as text for its hash: the same checkout key must come with the same text (rule 20). */
export const creditContent = ({ org_id, amount, bonus, gift, user }: BuyCredit): string =>
  JSON.stringify([
    'credit',
    [org_id, amount, bonus ?? null],
    [user.first_name, user.last_name, user.email.toLowerCase(), user.zip || null],
    gift ? [gift.name, gift.email.toLowerCase(), gift.message ?? '', gift.send_on ?? null] : null,
  ]);

/** Reads what a buyer typed into a card form. All problems at once, under their fields, in the provider's documented words. */
import { behaviorOf, brandOf, passesLuhn, type CardBehavior } from '#src/platform/payments/test-cards.ts';
import type { CardFacts } from '#src/platform/payments/payments.ts';
import { problem, type FieldErrors } from '#src/shared/problem.ts';

/** As it comes from the form: digits may be grouped by spaces or dashes, a year may have two digits. */
export type CardEntry = {
  number: string;
  exp_month: number | string;
  exp_year: number | string;
  cvc: string;
  zip: string;
};

export type ReadCard = { card: CardFacts; behavior: CardBehavior };

export const INCORRECT_NUMBER = 'Your card number is incorrect.';
const INVALID_NUMBER = 'Your card number is invalid.';
const INVALID_MONTH = "Your card's expiration month is invalid.";
const INVALID_YEAR = "Your card's expiration year is invalid.";
const INVALID_CVC = "Your card's security code is invalid.";
const INVALID_ZIP = 'The zip code you supplied failed validation.';
export const NOT_A_TEST_CARD =
  'Your card was declined. This is test mode, and only test cards such as 4242 4242 4242 4242 work in it.';

/**
 * Checks every field of a card and forgets the number and the security code.
 * @throws invalid (422) with the messages of all fields that cannot be right; card_refused (402) when the form
 *   is in order but the number has a wrong check digit or is no test card. `now` decides what has expired.
 */
export function readCardEntry(entry: CardEntry, now: Date): ReadCard {
  const number = entry.number.replaceAll(/[ -]/g, '');
  const brand = brandOf(number);
  const month = readNumber(entry.exp_month);
  const year = fourDigitYear(readNumber(entry.exp_year));
  const errors: FieldErrors = {};
  if (!/^\d{12,19}$/.test(number)) errors['number'] = [INVALID_NUMBER];
  else if (!passesLuhn(number)) errors['number'] = [INCORRECT_NUMBER];
  if (!(month >= 1 && month <= 12)) errors['exp_month'] = [INVALID_MONTH];
  const thisYear = now.getUTCFullYear();
  if (!(year >= thisYear && year <= thisYear + 50)) errors['exp_year'] = [INVALID_YEAR];
  else if (year === thisYear && month < now.getUTCMonth() + 1 && !errors['exp_month'])
    errors['exp_month'] = [INVALID_MONTH];
  if (!isSecurityCode(entry.cvc.trim(), brand)) errors['cvc'] = [INVALID_CVC];
  if (!/^\d{5}([ -]?\d{4})?$/.test(entry.zip.trim())) errors['zip'] = [INVALID_ZIP];

  const [first, ...others] = Object.values(errors).flat();
  if (first === INCORRECT_NUMBER && others.length === 0) throw problem('card_refused', INCORRECT_NUMBER, { errors });
  if (first !== undefined) throw problem('invalid', first, { errors });
  const behavior = behaviorOf(number);
  if (behavior === null) throw problem('card_refused', NOT_A_TEST_CARD, { errors: { number: [NOT_A_TEST_CARD] } });
  return { behavior, card: { brand, last4: number.slice(-4), expMonth: month, expYear: year } };
}

function isSecurityCode(cvc: string, brand: string): boolean {
  if (brand === 'unknown') return /^\d{3,4}$/.test(cvc);
  return brand === 'amex' ? /^\d{4}$/.test(cvc) : /^\d{3}$/.test(cvc);
}

function readNumber(value: number | string): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : Number.NaN;
  return /^\s*\d{1,4}\s*$/.test(value) ? Number(value) : Number.NaN;
}

function fourDigitYear(year: number): number {
  return year >= 0 && year < 100 ? 2000 + year : year;
}

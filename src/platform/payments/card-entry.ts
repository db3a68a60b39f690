/**
 * Parses what a buyer typed into a card form. All problems together, under their fields, in the provider's documented
 * wording.
 */
import type { CardFacts } from '#src/platform/payments/payments.ts';
import { problem, refuseFields, type FieldErrors } from '#src/shared/problem.ts';

/** As it comes from the form: digits may be grouped by spaces or dashes, a year may have two digits. */
export type CardEntry = {
  number: string;
  exp_month: number | string;
  exp_year: number | string;
  cvc: string;
  zip: string;
};

type ReadCard = { card: CardFacts; behavior: CardBehavior };

const INCORRECT_NUMBER = 'Your card number is incorrect.';
const INVALID_NUMBER = 'Your card number is invalid.';
const INVALID_MONTH = "Your card's expiration month is invalid.";
const INVALID_YEAR = "Your card's expiration year is invalid.";
const INVALID_CVC = "Your card's security code is invalid.";
const INVALID_ZIP = 'The zip code you supplied failed validation.';
const NOT_A_TEST_CARD =
  'Your card was declined. This is test mode, and only test cards such as 4242 4242 4242 4242 work in it.';

/**
 * Checks every field of a card and discards the number and the security code.
 * @throws invalid (422) with the messages of all invalid fields; card_refused (402) if the form is valid but the number
 * has a wrong check digit or is not a test card. `now` decides what has expired.
 */
export function readCardEntry(entry: CardEntry, now: Date): ReadCard {
  const number = entry.number.replaceAll(/[ -]/g, '');
  const brand = brandOf(number);
  const month = readNumber(entry.exp_month);
  const year = fourDigitYear(readNumber(entry.exp_year));
  const errors: FieldErrors = {};
  if (/^\d+$/.test(number) && !passesLuhn(number)) errors['number'] = [INCORRECT_NUMBER];
  else if (!/^\d{12,19}$/.test(number)) errors['number'] = [INVALID_NUMBER];
  if (!(month >= 1 && month <= 12)) errors['exp_month'] = [INVALID_MONTH];
  const thisYear = now.getUTCFullYear();
  if (!(year >= thisYear && year <= thisYear + 50)) errors['exp_year'] = [INVALID_YEAR];
  else if (year === thisYear && month < now.getUTCMonth() + 1 && !errors['exp_month'])
    errors['exp_month'] = [INVALID_MONTH];
  if (!isSecurityCode(entry.cvc.trim(), brand)) errors['cvc'] = [INVALID_CVC];
  if (!/^\d{5}([ -]?\d{4})?$/.test(entry.zip.trim())) errors['zip'] = [INVALID_ZIP];

  const [first, ...others] = Object.values(errors).flat();
  if (first === INCORRECT_NUMBER && others.length === 0) throw problem('card_refused', INCORRECT_NUMBER, { errors });
  refuseFields(errors);
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

/** What a test number does when it is charged. Stored with the token in place of the number. */
type CardBehavior =
  | 'pays'
  | 'declined'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error';

type Refusal = { message: string; code: string };

const DECLINED = 'Your card was declined.';

/** Messages and codes of Stripe's documentation, because buyers and programs see them in production. */
export const REFUSALS: Record<Exclude<CardBehavior, 'pays'>, Refusal> = {
  declined: { message: DECLINED, code: 'card_declined' },
  insufficient_funds: { message: 'Your card has insufficient funds.', code: 'card_declined' },
  lost_card: { message: DECLINED, code: 'card_declined' },
  stolen_card: { message: DECLINED, code: 'card_declined' },
  expired_card: { message: 'Your card has expired.', code: 'expired_card' },
  incorrect_cvc: { message: "Your card's security code is incorrect.", code: 'incorrect_cvc' },
  processing_error: {
    message: 'An error occurred while processing your card. Try again in a little bit.',
    code: 'processing_error',
  },
};

const TEST_NUMBERS = new Map<string, CardBehavior>([
  ['4242424242424242', 'pays'],
  ['4000056655665556', 'pays'],
  ['5555555555554444', 'pays'],
  ['2223003122003222', 'pays'],
  ['5200828282828210', 'pays'],
  ['5105105105105100', 'pays'],
  ['378282246310005', 'pays'],
  ['371449635398431', 'pays'],
  ['6011111111111117', 'pays'],
  ['6011000990139424', 'pays'],
  ['3056930009020004', 'pays'],
  ['36227206271667', 'pays'],
  ['3566002020360505', 'pays'],
  ['6200000000000005', 'pays'],
  ['4000000000000002', 'declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
]);

/** What a number does when charged; null for numbers that are not test cards (a real card must never work here). */
function behaviorOf(number: string): CardBehavior | null {
  return TEST_NUMBERS.get(number) ?? null;
}

/** The check digit rule of all card numbers (Luhn). */
function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place++) {
    const digit = Number(number[number.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const BRANDS: readonly [RegExp, string][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|64[4-9]|65)/, 'discover'],
  [/^3(0[0-5]|095|[68])/, 'diners'],
  [/^35(2[89]|[3-8])/, 'jcb'],
  [/^(62|81)/, 'unionpay'],
];

/** The brand by the first digits, as the provider spells it. */
export function brandOf(number: string): string {
  return BRANDS.find(([digits]) => digits.test(number))?.[1] ?? 'unknown';
}

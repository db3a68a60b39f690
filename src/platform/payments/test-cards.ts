/**
 * The numbers that a card provider documents for tests, and what they do. Messages and
 * codes are those of Stripe's documentation, because buyers and programs will meet them there.
 */

/** What a test number does when it is charged. Kept with the token in place of the number. */
export type CardBehavior =
  | 'pays'
  | 'declined'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error';

export type Refusal = { message: string; code: string };

const DECLINED = 'Your card was declined.';

const REFUSALS: Record<Exclude<CardBehavior, 'pays'>, Refusal> = {
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

/** What a number does when charged; null for numbers that are no test cards (a real card must never work here). */
export function behaviorOf(number: string): CardBehavior | null {
  return TEST_NUMBERS.get(number) ?? null;
}

/** Why a card of this behavior is refused; null when it pays. */
export function refusalOf(behavior: CardBehavior): Refusal | null {
  return behavior === 'pays' ? null : REFUSALS[behavior];
}

/** Reads a stored behavior; throws for anything else. */
export function readBehavior(text: string): CardBehavior {
  if (text === 'pays' || text in REFUSALS) return text as CardBehavior;
  throw new Error(`unknown card behavior: ${text}`);
}

/** The check digit rule of all card numbers. */
export function passesLuhn(number: string): boolean {
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

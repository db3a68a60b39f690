import { describe, expect, test } from 'vitest';
import { isProblem, type FieldErrors, type ProblemCode } from '#src/shared/problem.ts';
import { readCardEntry, type CardEntry } from './card-entry.ts';

const now = new Date('2026-08-15T12:00:00Z');
const good: CardEntry = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123', zip: '12345' };

function refusalOf(
  changes: Partial<CardEntry>,
): { code: ProblemCode; message: string; errors: FieldErrors | undefined } | null {
  try {
    readCardEntry({ ...good, ...changes }, now);
    return null;
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { code: error.code, message: error.message, errors: error.details.errors };
  }
}

describe('a card entry', () => {
  test.each<[string, Partial<CardEntry>, { brand: string; last4: string; expMonth: number; expYear: number }]>([
    ['as it is', {}, { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 }],
    [
      'with grouped digits',
      { number: '4242 4242-4242 4242' },
      { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
    ],
    [
      'with the date as text and a short year',
      { exp_month: '08', exp_year: '26' },
      { brand: 'visa', last4: '4242', expMonth: 8, expYear: 2026 },
    ],
    ['of this month', { exp_month: 8, exp_year: 2026 }, { brand: 'visa', last4: '4242', expMonth: 8, expYear: 2026 }],
    [
      'of Mastercard',
      { number: '5555555555554444' },
      { brand: 'mastercard', last4: '4444', expMonth: 12, expYear: 2030 },
    ],
    [
      'of Mastercard by its newer numbers',
      { number: '2223003122003222' },
      { brand: 'mastercard', last4: '3222', expMonth: 12, expYear: 2030 },
    ],
    [
      'of American Express with four digits of code',
      { number: '378282246310005', cvc: '1234' },
      { brand: 'amex', last4: '0005', expMonth: 12, expYear: 2030 },
    ],
    ['of Discover', { number: '6011111111111117' }, { brand: 'discover', last4: '1117', expMonth: 12, expYear: 2030 }],
    ['of Diners', { number: '36227206271667' }, { brand: 'diners', last4: '1667', expMonth: 12, expYear: 2030 }],
    ['of JCB', { number: '3566002020360505' }, { brand: 'jcb', last4: '0505', expMonth: 12, expYear: 2030 }],
    ['of UnionPay', { number: '6200000000000005' }, { brand: 'unionpay', last4: '0005', expMonth: 12, expYear: 2030 }],
    ['with the long zip', { zip: '12345-6789' }, { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 }],
  ])('is read %s', (_what, changes, card) => {
    const read = readCardEntry({ ...good, ...changes }, now);
    expect(read).toEqual({ behavior: 'pays', card });
    expect(JSON.stringify(read)).not.toContain('4242424242');
  });

  test.each<[string, Partial<CardEntry>, string, string]>([
    ['letters in the number', { number: '4242x24242424242' }, 'number', 'Your card number is invalid.'],
    ['no number', { number: '' }, 'number', 'Your card number is invalid.'],
    ['too few digits', { number: '42424242420' }, 'number', 'Your card number is invalid.'],
    ['other digits', { number: '４２４２４２４２４２４２４２４２' }, 'number', 'Your card number is invalid.'],
    ['month 13', { exp_month: 13 }, 'exp_month', "Your card's expiration month is invalid."],
    ['month 0', { exp_month: '0' }, 'exp_month', "Your card's expiration month is invalid."],
    ['half a month', { exp_month: 1.5 }, 'exp_month', "Your card's expiration month is invalid."],
    ['a month in words', { exp_month: 'May' }, 'exp_month', "Your card's expiration month is invalid."],
    ['last month', { exp_month: 7, exp_year: 2026 }, 'exp_month', "Your card's expiration month is invalid."],
    ['last year', { exp_year: 2025 }, 'exp_year', "Your card's expiration year is invalid."],
    ['a year too far', { exp_year: 2077 }, 'exp_year', "Your card's expiration year is invalid."],
    ['no year', { exp_year: '' }, 'exp_year', "Your card's expiration year is invalid."],
    ['a short code', { cvc: '12' }, 'cvc', "Your card's security code is invalid."],
    ['four digits of code for Visa', { cvc: '1234' }, 'cvc', "Your card's security code is invalid."],
    [
      'three digits of code for American Express',
      { number: '378282246310005' },
      'cvc',
      "Your card's security code is invalid.",
    ],
    ['letters in the code', { cvc: 'abc' }, 'cvc', "Your card's security code is invalid."],
    ['no zip', { zip: ' ' }, 'zip', 'The zip code you supplied failed validation.'],
    ['a short zip', { zip: '1234' }, 'zip', 'The zip code you supplied failed validation.'],
  ])('with %s is not valid', (_what, changes, field, message) => {
    expect(refusalOf(changes)).toEqual({ code: 'invalid', message, errors: { [field]: [message] } });
  });

  test('reports all its problems together', () => {
    expect(
      Object.keys(
        refusalOf({ number: '4242424242424241', exp_month: 0, exp_year: 1999, cvc: '', zip: '' })?.errors ?? {},
      ),
    ).toEqual(['number', 'exp_month', 'exp_year', 'cvc', 'zip']);
  });

  test.each(['4242424242424241', '1234'])('with a wrong check digit is a declined card: %s', (number) => {
    expect(refusalOf({ number })).toEqual({
      code: 'card_refused',
      message: 'Your card number is incorrect.',
      errors: { number: ['Your card number is incorrect.'] },
    });
  });

  test('of a real card is refused in the sandbox', () => {
    expect(refusalOf({ number: '4539578763621486' })?.code).toBe('card_refused');
  });
});

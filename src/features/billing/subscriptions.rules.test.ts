import { describe, expect, test } from 'vitest';
import { afterDecline, aYearAfter, cardName } from '#src/features/billing/subscriptions.rules.ts';

const at = (text: string) => new Date(text);

describe('a year', () => {
  test.each([
    ['2026-11-21T15:00:00.000Z', '2027-11-21T15:00:00.000Z'],
    ['2027-02-28T00:00:00.000Z', '2028-02-28T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2029-02-28T23:59:59.999Z'],
    ['2026-12-31T23:00:00.000Z', '2027-12-31T23:00:00.000Z'],
  ])('after %s is %s', (start, end) => {
    expect(aYearAfter(at(start)).toISOString()).toBe(end);
  });
});

describe('a declined renewal', () => {
  const periodEnd = at('2027-11-21T12:00:00Z');
  test.each([
    ['on the day, is tried a day later', 0, '2027-11-21T12:05:00Z', '2027-11-22T12:00:00.000Z'],
    ['a second time, on the fourth day', 1, '2027-11-22T12:05:00Z', '2027-11-25T12:00:00.000Z'],
    ['a third time, on the eighth day', 2, '2027-11-25T12:05:00Z', '2027-11-29T12:00:00.000Z'],
    ['by a worker that slept, half a day later', 1, '2027-12-06T12:00:00Z', '2027-12-07T00:00:00.000Z'],
  ])('%s', (_when, declines, now, chargeOn) => {
    const next = afterDecline({ periodEnd, declines }, at(now));
    expect(next).toEqual({ status: 'past_due', chargeOn: at(chargeOn), declines: declines + 1 });
  });

  test('the fourth time ends the subscription', () => {
    expect(afterDecline({ periodEnd, declines: 3 }, at('2027-11-29T12:05:00Z'))).toEqual({ status: 'ended' });
  });
});

describe('emails show', () => {
  test.each([
    [{ brand: 'visa', last4: '4242' }, 'Visa ending in 4242'],
    [{ brand: 'amex', last4: '0005' }, 'American Express ending in 0005'],
    [{ brand: 'eftpos_au', last4: '1111' }, 'eftpos Australia ending in 1111'],
    [{ brand: 'new_comer', last4: '1111' }, 'New comer ending in 1111'],
    [{ brand: 'link', last4: '' }, 'Link'],
    [{ brand: 'unknown', last4: '1111' }, 'Card ending in 1111'],
    [{ brand: null, last4: '1111' }, 'Card ending in 1111'],
    [{ brand: null, last4: null }, 'your card'],
  ])('%j as %j', (card, name) => {
    expect(cardName(card)).toBe(name);
  });
});

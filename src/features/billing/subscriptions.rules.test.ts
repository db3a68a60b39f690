import { describe, expect, test } from 'vitest';
import { publicDay } from '#src/shared/dates.ts';
import { afterDecline, aYearAfter, cardName } from '#src/features/billing/subscriptions.rules.ts';

const at = (text: string) => new Date(text);

describe('a year', () => {
  const NEW_YORK = 'America/New_York';
  test.each([
    ['2026-11-21T15:00:00.000Z', 'UTC', '2027-11-21T15:00:00.000Z'],
    ['2027-02-28T00:00:00.000Z', 'UTC', '2028-02-28T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', 'UTC', '2029-02-28T23:59:59.999Z'],
    ['2026-12-31T23:00:00.000Z', 'UTC', '2027-12-31T23:00:00.000Z'],
    // An evening in New York: the 28th there, the 29th or March in UTC.
    ['2028-02-29T03:00:00.000Z', NEW_YORK, '2029-03-01T03:00:00.000Z'],
    ['2027-03-01T03:00:00.000Z', NEW_YORK, '2028-02-29T03:00:00.000Z'],
    ['2028-03-01T03:00:00.000Z', NEW_YORK, '2029-03-01T03:00:00.000Z'],
    // The same hour there, although its clocks change on another day.
    ['2026-11-03T04:30:00.000Z', NEW_YORK, '2027-11-03T03:30:00.000Z'],
    ['2026-03-11T03:30:00.000Z', NEW_YORK, '2027-03-11T04:30:00.000Z'],
    // An hour that the clocks leave out.
    ['2026-03-14T06:30:00.000Z', NEW_YORK, '2027-03-14T06:30:00.000Z'],
    ['2026-07-01T10:00:00.000Z', 'Pacific/Auckland', '2027-07-01T10:00:00.000Z'],
  ])('after %s in %s is %s', (start, timeZone, end) => {
    expect(aYearAfter(at(start), timeZone).toISOString()).toBe(end);
  });

  test('of a plan that began on February 29 ends on the 28th, and in leap years on the 29th', () => {
    const first = at('2028-03-01T03:00:00Z');
    const ends = [first];
    while (ends.length < 9) ends.push(aYearAfter(ends.at(-1) ?? first, NEW_YORK, first));
    expect(ends.map((end) => publicDay(end, NEW_YORK))).toEqual(
      ['02.29.2028', '02.28.2029', '02.28.2030', '02.28.2031', '02.29.2032'].concat([
        '02.28.2033',
        '02.28.2034',
        '02.28.2035',
        '02.29.2036',
      ]),
    );
  });

  test('of a plan whose day is the 28th stays on it in leap years', () => {
    expect(aYearAfter(at('2031-03-01T03:00:00Z'), NEW_YORK, at('2027-03-01T03:00:00Z'))).toEqual(
      at('2032-02-29T03:00:00Z'),
    );
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

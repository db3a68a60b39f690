import { describe, expect, test } from 'vitest';
import { cents } from '#src/shared/money.ts';
import { rangeText, readReportPeriod } from './report-period.rules.ts';
import { forThePage } from '#src/features/reports/reports.rules.ts';
import { sumOf, type SellerReport } from './reports.rules.ts';
import { coveredBy, spread, stepOf, stepsOf, unitFor, type SalesDay } from './sales-days.rules.ts';

const day = (text: string, sales: number): SalesDay => ({
  day: text,
  orders: 1,
  photos: 2,
  salesCents: cents(sales),
  donationsCents: cents(0),
});

describe('sales over time', () => {
  test.each([
    ['2026-01-01', '2026-01-01', 'day', 1],
    ['2026-01-01', '2026-03-03', 'day', 62],
    ['2026-01-01', '2026-03-04', 'week', 9],
    ['2025-03-01', '2026-02-28', 'week', 53],
    ['2025-01-15', '2026-11-21', 'month', 23],
  ] as const)('from %s to %s are shown by %s, in %i steps', (from, to, unit, steps) => {
    expect(unitFor({ from, to })).toBe(unit);
    expect(stepsOf({ from, to }, unit)).toHaveLength(steps);
  });

  test.each([
    ['2026-03-14', 'week', '2026-03-08'],
    ['2026-03-15', 'week', '2026-03-15'],
    ['2026-03-20', 'month', '2026-03-01'],
    ['2026-04-02', 'month', '2026-04-01'],
  ] as const)('%s belongs to the %s from %s', (each, unit, first) => {
    expect(stepOf(each, { from: '2026-03-01', to: '2026-05-31' }, unit)).toBe(first);
  });

  test('have no gaps and lose nothing', () => {
    const range = { from: '2026-03-30', to: '2026-04-02' };
    const days = spread([day('2026-03-31', 400), day('2026-04-02', 100)], range, 'day');
    expect(days.map((each) => [each.day, each.salesCents, each.orders])).toEqual([
      ['2026-03-30', 0, 0],
      ['2026-03-31', 400, 1],
      ['2026-04-01', 0, 0],
      ['2026-04-02', 100, 1],
    ]);
    const months = spread([day('2026-03-31', 400), day('2026-04-01', 300), day('2026-04-02', 100)], range, 'month');
    expect(months.map((each) => [each.day, each.salesCents])).toEqual([
      ['2026-03-30', 400],
      ['2026-04-01', 400],
    ]);
  });

  test('start with the first sale if no dates are given', () => {
    expect(coveredBy([day('2026-03-31', 4)], '2026-04-02')).toEqual({ from: '2026-03-31', to: '2026-04-02' });
    expect(coveredBy([], '2026-04-02')).toEqual({ from: '2026-03-04', to: '2026-04-02' });
  });
});

describe('the period of a page', () => {
  const read = (query: string) => readReportPeriod(new URLSearchParams(query), '2026-11-21');
  test.each([
    ['', '7-days', { from: '2026-11-15', to: '2026-11-21' }],
    ['period=30-days', '30-days', { from: '2026-10-23', to: '2026-11-21' }],
    ['period=12-months', '12-months', { from: '2025-11-22', to: '2026-11-21' }],
    ['period=all', 'all', null],
    ['period=century', '7-days', { from: '2026-11-15', to: '2026-11-21' }],
    ['from=2026-02-01&to=2026-02-28', null, { from: '2026-02-01', to: '2026-02-28' }],
  ])('%j is %s', (query, period, range) => {
    expect(read(query)).toMatchObject({ period, range, problem: null });
  });

  test.each([
    'from=2026-02-31&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2026-03-02',
    'from=&to=',
    'from=1900-01-01&to=2026-01-01',
  ])('%j is invalid', (query) => {
    expect(read(query)).toMatchObject({ range: null, problem: 'Please choose a valid date range.' });
  });

  test('is shown with the date format of reports', () => {
    expect(rangeText({ from: '2026-02-01', to: '2026-02-28' })).toBe('02.01.2026 to 02.28.2026');
    expect(rangeText({ from: '2026-02-01', to: '2026-02-01' })).toBe('02.01.2026');
    expect(rangeText(null)).toBe('All time');
  });
});

describe('the lines of a page', () => {
  const totals = (sales: number) => ({ ...sumOf([]), salesCents: cents(sales) });
  const seller = (id: number, galleries: number): SellerReport => ({
    id,
    name: `Club ${id}`,
    path: `club-${id}`,
    promoCode: null,
    codes: [],
    totals: totals(1),
    galleries: Array.from({ length: galleries }, (_, index) => ({
      id: index,
      name: `Gallery ${index}`,
      totals: totals(index),
    })),
  });

  test('leave out a parent without own sales, and start with the largest', () => {
    const { sellers, leftOut } = forThePage([seller(1, 0), seller(2, 3), seller(3, 0)], 1);
    expect(sellers.map(({ id }) => id)).toEqual([2, 3]);
    expect(sellers[0]?.galleries.map(({ id }) => id)).toEqual([2, 1, 0]);
    expect(leftOut).toBe(0);
    expect(forThePage([seller(1, 0)], 1).sellers).toHaveLength(1);
  });

  test('are limited, and say how many are left out', () => {
    const { sellers, leftOut } = forThePage([seller(1, 400), seller(2, 10)], 1);
    expect(sellers.map(({ galleries }) => galleries.length)).toEqual([150, 10]);
    expect(leftOut).toBe(250);
  });

  test('of 20 organizations are those that sold something; the others are counted', () => {
    const unsold = (id: number): SellerReport => ({ ...seller(id, 0), totals: sumOf([]) });
    const many = [seller(2, 1), ...Array.from({ length: 19 }, (_, index) => unsold(index + 3))];
    const { sellers, withoutSales } = forThePage(many, 1);
    expect([sellers.map(({ id }) => id), withoutSales]).toEqual([[2], 19]);
    expect(forThePage(many.slice(0, 19), 1)).toMatchObject({ withoutSales: 0, sellers: { length: 19 } });
  });
});

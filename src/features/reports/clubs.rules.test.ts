import { expect, test } from 'vitest';
import { clubsFound } from '#src/features/reports/clubs.rules.ts';
import type { Club } from '#src/features/reports/sales-days.rules.ts';
import { cents } from '#src/shared/money.ts';

const club = (name: string, sold: number, donated = 0): Club => ({
  id: 1,
  name,
  path: 'path',
  sales: { orders: 1, photos: 1, salesCents: cents(sold), donationsCents: cents(donated) },
});
const CLUBS = [
  club('Club 10', 0),
  club('Club 2', 0),
  club('Hawks', 300),
  club('Tides', 200, 500),
  club('St. José’s', -1),
];

test.each([
  ['', ['Tides', 'Hawks', 'Club 2', 'Club 10', 'St. José’s']],
  [' CLUB ', ['Club 2', 'Club 10']],
  ['nobody', []],
  ["jose's", ['St. José’s']],
  ['José’s', ['St. José’s']],
])('of a parent’s organizations “%s” finds %j: those that sold most, then by name', (search, names) => {
  expect(clubsFound(CLUBS, search).map(({ name }) => name)).toEqual(names);
});

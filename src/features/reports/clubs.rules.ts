/** The order of a parent's organizations on its dashboard. */
import type { Club } from '#src/features/reports/sales-days.rules.ts';

/** As names are searched: no capitals or accents, and keyboards type straight apostrophes. */
const folded = (text: string): string =>
  text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();

/** Those whose name contains the search: first those that sold most, then by name. */
export function clubsFound(clubs: readonly Club[], search: string): Club[] {
  const wanted = folded(search);
  const soldCents = ({ sales }: Club) => sales.salesCents + sales.donationsCents;
  return clubs
    .filter(({ name }) => folded(name).includes(wanted))
    .toSorted((a, b) => soldCents(b) - soldCents(a) || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** The order of a parent's organizations on its dashboard. */
import type { Club } from '#src/features/reports/sales-days.rules.ts';

/** Those whose name contains the search: first those that sold most, then by name. */
export function clubsFound(clubs: readonly Club[], search: string): Club[] {
  const wanted = search.trim().toLowerCase();
  const soldCents = ({ sales }: Club) => sales.salesCents + sales.donationsCents;
  return clubs
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => soldCents(b) - soldCents(a) || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

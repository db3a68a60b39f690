/** Which lines of a report its page shows; the CSV file has them all. */
import type { SellerReport } from '#src/features/reports/reports.rules.ts';

/** More lines than that no one reads on a page. */
const MOST_LINES = 300;

/**
 * Organizations by name, the one asked for only if it sold something itself; galleries by what they brought in. Where there are too many
 * galleries, each organization shows as many as there is space for, and `leftOut` counts the rest.
 */
export function forThePage(
  sellers: readonly SellerReport[],
  organizationId: number,
): { sellers: SellerReport[]; leftOut: number } {
  const shown = sellers.filter(
    ({ id, galleries }) => sellers.length === 1 || id !== organizationId || galleries.length > 0,
  );
  const all = shown.reduce((sum, { galleries }) => sum + galleries.length, 0);
  const each = all <= MOST_LINES ? MOST_LINES : Math.max(1, Math.floor(MOST_LINES / Math.max(1, shown.length)));
  const revenue = ({ totals }: { totals: SellerReport['totals'] }) => totals.salesCents + totals.donationsCents;
  const trimmed = shown.map((seller) => ({
    ...seller,
    galleries: seller.galleries.toSorted((a, b) => revenue(b) - revenue(a) || a.id - b.id).slice(0, each),
  }));
  return { sellers: trimmed, leftOut: all - trimmed.reduce((sum, { galleries }) => sum + galleries.length, 0) };
}

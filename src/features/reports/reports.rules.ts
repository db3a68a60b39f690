/** What a report counts, how it adds up and how it is told (specification A§2). */
import { DONATIONS, SALES, TEAMS_GET, YOU_GET } from '#src/features/reports/money-words.contract.ts';
import { totalsAnswer, type ReportAnswer, type TotalsAnswer } from '#src/features/reports/reports.contract.ts';
import { sumOfRows } from '#src/features/reports/sales-days.rules.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { present } from '#src/shared/field-names.ts';
import { formatDollars, type Cents } from '#src/shared/money.ts';

/**
 * What a report counts, in the order of its tables and files: amounts in cents, net of refunds. `orders` are those that were not
 * refunded whole; `feesCents` is what the card provider kept, `shareCents` what the platform keeps, `disputedCents` what is held back
 * or taken because a buyer's bank disputes a payment; `netCents` is what the organization gets, by the books: sales and donations
 * without these three. `head` is the word of the file; `label`, where it differs, that of the page.
 */
export const TOTALS: readonly TotalsColumn[] = [
  { key: 'orders', head: 'Orders' },
  { key: 'photos', head: 'Photos' },
  { key: 'salesCents', head: SALES },
  { key: 'donationsCents', head: DONATIONS },
  { key: 'taxCents', head: 'Taxes', isRare: true },
  { key: 'refundsCents', head: 'Refunds', isRare: true },
  { key: 'feesCents', head: 'Card fees' },
  { key: 'shareCents', head: 'Platform share', label: 'Sideline’s share', short: 'To Sideline' },
  { key: 'disputedCents', head: 'Disputed', isRare: true },
  { key: 'netCents', head: YOU_GET, ofSeveral: TEAMS_GET },
];
export type TotalsColumn = {
  key: keyof Totals;
  head: string;
  label?: string;
  /** Where there is little space. */
  short?: string;
  /** What it is called where it is of several organizations. */
  ofSeveral?: string;
  /** The page leaves it out where no one has any: it would only make the table wider. */
  isRare?: boolean;
};
type Amount = 'sales' | 'donations' | 'tax' | 'refunds' | 'fees' | 'share' | 'disputed' | 'net';
export type Totals = { orders: number; photos: number } & Record<`${Amount}Cents`, Cents>;

export type GallerySales = { id: number; name: string; totals: Totals };
export type SellerReport = {
  id: number;
  name: string;
  path: string;
  promoCode: string | null;
  totals: Totals;
  galleries: GallerySales[];
};

/** The sum of all rows. */
export function sumOf(rows: readonly Totals[]): Totals {
  return sumOfRows(
    rows,
    TOTALS.map(({ key }) => key),
  );
}

/** Totals as the calls tell them, in dollars. */
export function presentTotals(totals: Totals): TotalsAnswer {
  return present(totalsAnswer, {
    ...totals,
    revenue: formatDollars(totals.salesCents),
    salesRevCents: totals.salesCents,
    galleryDonationCents: totals.donationsCents,
  });
}

/** The map of the call, by organization and gallery id. */
export function presentReport(sellers: readonly SellerReport[]): ReportAnswer {
  return Object.fromEntries(
    sellers.map((seller) => [
      String(seller.id),
      {
        name: seller.name,
        promo_code: seller.promoCode,
        domain_name: seller.path,
        totals: presentTotals(seller.totals),
        galleries: Object.fromEntries(
          seller.galleries.map(({ id, name, totals }) => [String(id), { name, totals: presentTotals(totals) }]),
        ),
      },
    ]),
  );
}

/** What is in the place of a gallery where a line is of all of them. */
const ALL_GALLERIES = 'All galleries';

export const REPORT_HEAD = ['Organization', 'Domain name', 'Gallery', ...TOTALS.map(({ head }) => head)];

const cellsOf = (totals: Totals): CsvCell[] =>
  TOTALS.map(({ key }) => (key === 'orders' || key === 'photos' ? totals[key] : { cents: totals[key] }));

/** A line for each organization, and below it one for each of its galleries. */
export function csvRows(sellers: readonly SellerReport[]): CsvCell[][] {
  return sellers.flatMap((seller) => [
    [seller.name, seller.path, ALL_GALLERIES, ...cellsOf(seller.totals)],
    ...seller.galleries.map(({ name, totals }) => [seller.name, seller.path, name, ...cellsOf(totals)]),
  ]);
}

/** More lines than that no one reads on a page. */
const MOST_LINES = 300;

/**
 * Organizations by name, the one asked for only if it sold something itself; galleries by what they brought in. Where there are too many
 * galleries, each organization shows as many as there is space for, and `leftOut` counts the rest.
 */
export function forThePage(sellers: readonly SellerReport[], organizationId: number) {
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

/** What a report counts, how it adds up and how it is told (specification A§2). */
import { DONATIONS, SALES, YOU_GET } from '#src/features/reports/money-words.contract.ts';
import type { ReportAnswer, TotalsAnswer } from '#src/features/reports/reports.contract.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { formatDollars, sumCents, toDollars, type Cents } from '#src/shared/money.ts';

/** Amounts in cents, net of refunds; `fees` are what the card provider kept, `share` what the platform keeps. */
export type Totals = {
  /** Those that were not refunded whole. */
  orders: number;
  photos: number;
  salesCents: Cents;
  donationsCents: Cents;
  taxCents: Cents;
  refundsCents: Cents;
  feesCents: Cents;
  shareCents: Cents;
  /** Held back or taken because a buyer's bank disputes a payment. */
  disputedCents: Cents;
  /** What the organization gets, by the books: sales and donations without fees, share and what is disputed. */
  netCents: Cents;
};

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
  const add = (pick: (totals: Totals) => Cents): Cents => sumCents(rows.map(pick));
  return {
    orders: rows.reduce((sum, row) => sum + row.orders, 0),
    photos: rows.reduce((sum, row) => sum + row.photos, 0),
    salesCents: add((row) => row.salesCents),
    donationsCents: add((row) => row.donationsCents),
    taxCents: add((row) => row.taxCents),
    refundsCents: add((row) => row.refundsCents),
    feesCents: add((row) => row.feesCents),
    shareCents: add((row) => row.shareCents),
    disputedCents: add((row) => row.disputedCents),
    netCents: add((row) => row.netCents),
  };
}

/** Totals as the calls tell them, in dollars. */
export function presentTotals(totals: Totals): TotalsAnswer {
  return {
    orders: totals.orders,
    photos: totals.photos,
    sales: toDollars(totals.salesCents),
    donations: toDollars(totals.donationsCents),
    tax: toDollars(totals.taxCents),
    refunds: toDollars(totals.refundsCents),
    fees: toDollars(totals.feesCents),
    share: toDollars(totals.shareCents),
    disputed: toDollars(totals.disputedCents),
    net: toDollars(totals.netCents),
    revenue: formatDollars(totals.salesCents),
    sales_rev: toDollars(totals.salesCents),
    gallery_donation: toDollars(totals.donationsCents),
  };
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
export const ALL_GALLERIES = 'All galleries';

export const TOTALS_HEAD = [
  'Orders',
  'Photos',
  SALES,
  DONATIONS,
  'Taxes',
  'Refunds',
  'Card fees',
  'Platform share',
  'Disputed',
  YOU_GET,
] as const;
export const REPORT_HEAD = ['Organization', 'Domain name', 'Gallery', ...TOTALS_HEAD] as const;

/** The cells of one line of totals, in the order of `TOTALS_HEAD`. */
export function cellsOf(totals: Totals): CsvCell[] {
  return [
    totals.orders,
    totals.photos,
    { cents: totals.salesCents },
    { cents: totals.donationsCents },
    { cents: totals.taxCents },
    { cents: totals.refundsCents },
    { cents: totals.feesCents },
    { cents: totals.shareCents },
    { cents: totals.disputedCents },
    { cents: totals.netCents },
  ];
}

/** A line for each organization, and below it one for each of its galleries. */
export function csvRows(sellers: readonly SellerReport[]): CsvCell[][] {
  return sellers.flatMap((seller) => [
    [seller.name, seller.path, ALL_GALLERIES, ...cellsOf(seller.totals)],
    ...seller.galleries.map(({ name, totals }) => [seller.name, seller.path, name, ...cellsOf(totals)]),
  ]);
}

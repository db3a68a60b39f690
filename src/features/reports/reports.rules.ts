/** What a report counts, how it adds up and how it is presented (specification A§2). */
import {
  CREDIT_SOLD,
  CREDIT_USED,
  DONATIONS,
  INCLUDED,
  OFFERS_SAVED,
  REDUCTIONS,
  SALES,
  TEAMS_GET,
  YOU_GET,
} from '#src/features/reports/money-words.contract.ts';
import {
  offerTotals,
  plainTotals,
  type ReportAnswer,
  type TotalsAnswer,
} from '#src/features/reports/reports.contract.ts';
import { sumOfRows } from '#src/features/reports/sales-days.rules.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { present } from '#src/shared/field-names.ts';
import { cents, formatDollars, type Cents } from '#src/shared/money.ts';

/**
 * What a report counts, in the order of its tables and files: amounts in cents, net of refunds. `orders` are those that were
 * not fully refunded; `feesCents` is what the card provider kept, `shareCents` what the platform keeps, `disputedCents` what is
 * held back or withdrawn because a buyer's bank disputes a payment; `netCents` is what the organization gets according to the
 * ledger: sales and donations less these three. `head` is the name in the file; `label`, if different, the one on the page.
 */
export const TOTALS: readonly TotalsColumn[] = [
  { key: 'orders', head: 'Orders' },
  { key: 'photos', head: 'Photos' },
  { key: 'salesCents', head: SALES },
  { key: 'donationsCents', head: DONATIONS },
  { key: 'offersSavedCents', head: OFFERS_SAVED, short: 'Offers saved', isRare: true },
  { key: 'includedCents', head: INCLUDED, isRare: true },
  { key: 'reductionsCents', head: REDUCTIONS, isRare: true },
  { key: 'creditUsedCents', head: CREDIT_USED, isRare: true },
  { key: 'creditSoldCents', head: CREDIT_SOLD, isRare: true },
  { key: 'taxCents', head: 'Taxes', isRare: true },
  { key: 'refundsCents', head: 'Refunds', isRare: true },
  { key: 'feesCents', head: 'Card fees' },
  { key: 'shareCents', head: 'Platform share', label: 'Sideline’s share', short: 'To Sideline' },
  { key: 'disputedCents', head: 'Disputed', isRare: true },
  { key: 'netCents', head: YOU_GET, ofSeveral: TEAMS_GET },
];
type TotalsColumn = {
  key: keyof Totals;
  head: string;
  label?: string;
  /** For narrow columns. */
  short?: string;
  /** The label when it covers several organizations. */
  ofSeveral?: string;
  /** Left out of the page if every row has zero, to keep the table narrow. */
  isRare?: boolean;
};
type OfferAmount = 'offersSaved' | 'included' | 'reductions' | 'creditUsed' | 'creditSold';
type Amount = 'sales' | 'donations' | 'tax' | 'refunds' | 'fees' | 'share' | 'disputed' | 'net' | OfferAmount;
/** `includedCents` is part of what offers saved; the platform's report does not show it. */
export type Totals = { orders: number; photos: number } & Record<`${Amount}Cents`, Cents>;

/** Shown only if any of them is not zero: sellers without offers, codes and credit have the usual columns. */
const OF_OFFERS: readonly (keyof Totals)[] = [
  'offersSavedCents',
  'includedCents',
  'reductionsCents',
  'creditUsedCents',
  'creditSoldCents',
] satisfies `${OfferAmount}Cents`[];

const hasIncluded = (all: readonly Totals[]): boolean => all.some(({ includedCents }) => includedCents > 0);

const hasOffers = (all: readonly Totals[]): boolean => all.some((totals) => OF_OFFERS.some((key) => totals[key] !== 0));

/** The ones that are not zero, as text. */
export const offerFigures = (totals: Totals): { words: string; amountCents: Cents }[] =>
  TOTALS.filter(({ key }) => OF_OFFERS.includes(key) && totals[key] !== 0).map(({ key, head }) => ({
    words: head,
    amountCents: cents(totals[key]),
  }));

/** Sales of a gallery or a code. */
export type GallerySales = { id: number; name: string; totals: Totals };
export type SellerReport = {
  id: number;
  name: string;
  path: string;
  promoCode: string | null;
  totals: Totals;
  galleries: GallerySales[];
  /** Orders with one of its own codes, by code. */
  codes: GallerySales[];
};

const isOffered = (sellers: readonly SellerReport[]) => hasOffers(sellers.map(({ totals }) => totals));

/** The sum of all rows. */
export function sumOf(rows: readonly Totals[]): Totals {
  const keys = TOTALS.map(({ key }) => key);
  return sumOfRows(rows, keys);
}

/** Totals as in the API, in dollars. */
export function presentTotals(totals: Totals, withOffers = hasOffers([totals])): TotalsAnswer {
  const { offersSavedCents, includedCents, reductionsCents, creditUsedCents, creditSoldCents, ...known } = totals;
  const answer = present(plainTotals, {
    ...known,
    revenue: formatDollars(totals.salesCents),
    salesRevCents: totals.salesCents,
    galleryDonationCents: totals.donationsCents,
  });
  const ofOffers = {
    offersSavedCents,
    ...(includedCents > 0 && { includedCents }),
    reductionsCents,
    creditUsedCents,
    creditSoldCents,
  };
  return withOffers ? { ...answer, ...present(offerTotals, ofOffers) } : answer;
}

/** The response of the API, by organization and gallery id. */
export function presentReport(sellers: readonly SellerReport[]): ReportAnswer {
  const withOffers = isOffered(sellers);
  const byId = (parts: readonly GallerySales[]) =>
    Object.fromEntries(
      parts.map(({ id, name, totals }) => [String(id), { name, totals: presentTotals(totals, withOffers) }]),
    );
  return Object.fromEntries(
    sellers.map((seller) => [
      String(seller.id),
      {
        name: seller.name,
        promo_code: seller.promoCode,
        domain_name: seller.path,
        totals: presentTotals(seller.totals, withOffers),
        galleries: byId(seller.galleries),
        ...(seller.codes.length > 0 && { codes: byId(seller.codes) }),
      },
    ]),
  );
}

/** In place of a gallery on lines that cover all of them. */
const ALL_GALLERIES = 'All galleries';

/** The file: a header, and for each organization its lines: total, each gallery, each code. */
export function csvReport(sellers: readonly SellerReport[]) {
  const withOffers = isOffered(sellers);
  const withIncluded = hasIncluded(sellers.map(({ totals }) => totals));
  const columns = TOTALS.filter(({ key }) =>
    key === 'includedCents' ? withIncluded : withOffers || !OF_OFFERS.includes(key),
  );
  const cellsOf = (totals: Totals): CsvCell[] =>
    columns.map(({ key }) => (key === 'orders' || key === 'photos' ? totals[key] : { cents: totals[key] }));
  const rowsOf = ({ name, path, totals, galleries, codes }: SellerReport): CsvCell[][] => [
    [name, path, ALL_GALLERIES, ...cellsOf(totals)],
    ...galleries.map((gallery) => [name, path, gallery.name, ...cellsOf(gallery.totals)]),
    ...codes.map((code) => [name, path, nameOfCode(code), ...cellsOf(code.totals)]),
  ];
  return { head: ['Organization', 'Domain name', 'Gallery', ...columns.map(({ head }) => head)], rowsOf };
}

/** "Code HAWKS20" */
const nameOfCode = ({ name }: Pick<GallerySales, 'name'>) => `Code ${name}`;

/** Longer lists are not useful on a page. */
const MOST_LINES = 300;

/** In a list of at least this many organizations, those that sold nothing would hide the others. */
const MANY_SELLERS = 20;
const soldNothing = ({ galleries, codes, totals }: SellerReport) =>
  galleries.length + codes.length + totals.orders === 0 && totals.refundsCents === 0 && totals.netCents === 0;

/**
 * Organizations by name, the requested one only if it sold something itself; galleries by sales. If there are too many
 * galleries, each organization shows as many as fit, and `leftOut` counts the rest. `withoutSales` counts the organizations
 * that are left out of a long list because they sold nothing.
 */
export function forThePage(sellers: readonly SellerReport[], organizationId: number) {
  const own = sellers.filter(
    ({ id, galleries }) => sellers.length === 1 || id !== organizationId || galleries.length > 0,
  );
  const shown = own.length < MANY_SELLERS ? own : own.filter((seller) => !soldNothing(seller));
  const all = shown.reduce((sum, { galleries }) => sum + galleries.length, 0);
  const each = all <= MOST_LINES ? MOST_LINES : Math.max(1, Math.floor(MOST_LINES / Math.max(1, shown.length)));
  const revenue = ({ totals }: { totals: SellerReport['totals'] }) => totals.salesCents + totals.donationsCents;
  const trimmed = shown.map((seller) => ({
    ...seller,
    galleries: seller.galleries.toSorted((a, b) => revenue(b) - revenue(a) || a.id - b.id).slice(0, each),
  }));
  return {
    sellers: trimmed,
    leftOut: all - trimmed.reduce((sum, { galleries }) => sum + galleries.length, 0),
    withoutSales: own.length - shown.length,
  };
}

/**
 * The contents of a row, a section and a file of the platform's report (specification A§3, "Order report row"; design of the
 * calls).
 */
import * as words from '#src/features/admin-reports/admin-report.contract.ts';
import { ORDER_STATES } from '#src/features/refunds/refunds.rules.ts';
import { CREDIT_USED } from '#src/features/reports/money-words.contract.ts';
import { callDates } from '#src/features/reports/reports.contract.ts';
import { presentTotals, type Totals } from '#src/features/reports/reports.rules.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { reportDay, type DayRange } from '#src/shared/day-range.ts';
import { formatDollars, toDollars, type Cents } from '#src/shared/money.ts';
import { pageOf } from '#src/shared/paging.ts';
import { readId } from '#src/shared/read-id.ts';

/** What buyers were charged, before any refund. */
export type Charged = { subtotalCents: Cents; donationCents: Cents; taxCents: Cents; totalCents: Cents };

/** An organization with sales. */
export type Seller = {
  id: number;
  name: string;
  /** Its path, or host label. */
  path: string;
  parentId: number | null;
  /** The host of its pages. */
  hostLabel: string;
  timeZone: string;
  /** Name, date and email are shown for one specific parent only: a flag (rule 22). */
  showsBuyers: boolean;
  /** All matching orders, including fully refunded ones. */
  rows: number;
};
/** `usesCredit`: prepaid credit paid for one of these orders. */
export type FiledSeller = Seller & { usesCredit: boolean };
/** With the sums of these orders. */
export type SellerSums = Seller & { totals: Totals; charged: Charged };

/** A sold order; amounts in cents. */
export type SoldOrderRow = Charged & {
  id: number;
  organizationId: number;
  createdAt: Date;
  firstName: string;
  lastName: string;
  email: string;
  refundedCents: Cents;
  feeCents: Cents;
  shareCents: Cents;
  disputedCents: Cents;
  netCents: Cents;
  /** The part of the total paid with prepaid credit. */
  creditCents: Cents;
  status: words.AdminReportRow['status'];
  cardBrand: string | null;
  cardLast4: string | null;
  reconciledAt: Date | null;
  payoutId: number | null;
  payoutStatus: string | null;
};

/** The row in the API. */
export function presentRow(row: SoldOrderRow): words.AdminReportRow {
  const { cardBrand: brand, cardLast4: last4 } = row;
  const card = brand === null || last4 === null ? {} : { brand, last4 };
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    first_name: row.firstName,
    last_name: row.lastName,
    email_address: row.email,
    subtotal: toDollars(row.subtotalCents),
    additional_donation: formatDollars(row.donationCents),
    tax: toDollars(row.taxCents),
    total: toDollars(row.totalCents),
    refunded: toDollars(row.refundedCents),
    fee: toDollars(row.feeCents),
    share: toDollars(row.shareCents),
    disputed: toDollars(row.disputedCents),
    net: toDollars(row.netCents),
    ...(row.creditCents > 0 && { credit_used: toDollars(row.creditCents) }),
    status: row.status,
    stripe_response: JSON.stringify({ amount: row.totalCents - row.creditCents, currency: 'usd', ...card }),
    reconciled: row.reconciledAt !== null,
    reconciled_at: row.reconciledAt?.toISOString() ?? null,
    payout_id: row.payoutId,
    payout_status: row.payoutStatus,
  };
}

/** An organization in the API, without its orders. */
export function presentSeller(seller: SellerSums): Omit<words.AdminReportAnswer[number], 'complete_orders' | 'next'> {
  return {
    id: seller.id,
    name: seller.name,
    domain_name: seller.path,
    parent_organization_id: seller.parentId,
    totals: presentTotals(seller.totals),
  };
}

/** An organization on the page, with its newest orders; buyers' details are left out where they are not shown. */
export type SellerSection = ReturnType<typeof presentSection>;

/** @param found one order more than is shown, if there are more */
export function presentSection(seller: SellerSums, found: readonly SoldOrderRow[], origin: SiteOrigin) {
  const { hostLabel, parentId: _parent, ...section } = seller;
  const { shown, next } = pageOf(found, words.ORDERS_SHOWN);
  const orders = shown.map(presentRow);
  const noBuyer = { first_name: '', last_name: '', email_address: '' };
  return {
    ...section,
    /** Scheme and host of its pages. */
    site: siteUrl(origin, hostLabel, ''),
    orders: section.showsBuyers ? orders : orders.map((order) => ({ ...order, ...noBuyer })),
    next,
  };
}

const PAYOUT_NAMES: Record<string, string> = { created: 'On the way', submitted: 'On the way', paid: 'Paid out' };

/** The state of an order's payout; empty while it is in none. */
export function payoutName(status: string | null): string {
  return status === null ? '' : (PAYOUT_NAMES[status] ?? status);
}

type ExportColumn = { head: string; cell: (row: SoldOrderRow, seller: Seller) => CsvCell };
const amount = (head: string, pick: (row: SoldOrderRow) => Cents): ExportColumn => ({
  head,
  cell: (row) => ({ cents: pick(row) }),
});
const buyer = (head: string, pick: (row: SoldOrderRow, seller: Seller) => string): ExportColumn => ({
  head,
  cell: (row, seller) => (seller.showsBuyers ? pick(row, seller) : ''),
});

const SELLER_COLUMNS: readonly ExportColumn[] = [
  { head: 'Order', cell: ({ id }) => id },
  { head: 'Organization', cell: (_row, { name }) => name },
  { head: 'Domain name', cell: (_row, { path }) => path },
];
const BUYER_COLUMNS: readonly ExportColumn[] = [
  buyer('Date', ({ createdAt }, { timeZone }) => reportDay(machineDay(createdAt, timeZone))),
  buyer('First name', ({ firstName }) => firstName),
  buyer('Last name', ({ lastName }) => lastName),
  buyer('Email', ({ email }) => email),
];
const ORDER_COLUMNS: readonly ExportColumn[] = [
  amount('Subtotal', (row) => row.subtotalCents),
  amount('Donation', (row) => row.donationCents),
  amount('Tax', (row) => row.taxCents),
  amount('Total', (row) => row.totalCents),
  amount('Refunded', (row) => row.refundedCents),
  amount('Card fee', (row) => row.feeCents),
  amount('Platform share', (row) => row.shareCents),
  amount('Disputed', (row) => row.disputedCents),
  amount('Net', (row) => row.netCents),
  { head: 'Status', cell: ({ status }) => ORDER_STATES[status] },
  { head: 'Reconciled', cell: ({ reconciledAt }) => (reconciledAt === null ? 'No' : 'Yes') },
  { head: 'Payout', cell: ({ payoutId }) => payoutId ?? '' },
  { head: 'Payout status', cell: ({ payoutStatus }) => payoutName(payoutStatus) },
];

const CREDIT_COLUMNS: readonly ExportColumn[] = [amount(CREDIT_USED, (row) => row.creditCents)];

/** The columns of the file, as on the page; buyers and prepaid credit only if an organization shows or has them. */
export function exportColumns(sellers: readonly FiledSeller[]): ExportColumn[] {
  const showsBuyers = sellers.some((seller) => seller.showsBuyers);
  const usesCredit = sellers.some((seller) => seller.usesCredit);
  return [
    ...SELLER_COLUMNS,
    ...(showsBuyers ? BUYER_COLUMNS : []),
    ...ORDER_COLUMNS,
    ...(usesCredit ? CREDIT_COLUMNS : []),
  ];
}

/** "sideline-sales-hawks-2026-11-15-to-2026-11-21.csv" */
export function exportName(range: DayRange | null, path: string | null): string {
  const days = range === null ? 'all-time' : range.from === range.to ? range.from : `${range.from}-to-${range.to}`;
  const whose = path === null ? '' : `${path.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '')}-`;
  return `sideline-sales-${whose}${days}.csv`;
}

/** Sellers in order, grouped so that a batch has about `size` orders; a larger seller is its own batch, read in parts. */
export function batchesOf<One extends Pick<Seller, 'rows'>>(sellers: readonly One[], size: number): One[][] {
  const batches: One[][] = [];
  let space = 0;
  for (const seller of sellers) {
    const last = batches.at(-1);
    if (last && seller.rows <= space) {
      last.push(seller);
      space -= seller.rows;
    } else {
      batches.push([seller]);
      space = Math.max(0, size - seller.rows);
    }
  }
  return batches;
}

/** The parameters of the page's address: `?org=2&affiliate=5&gallery=7&period=30-days&reconciled=1`. */
export type AdminReportAddress = {
  org: number | null;
  affiliate: number | null;
  gallery: number | null;
  reconciled: boolean;
  /** The number of organizations whose orders are shown. */
  shown: number;
  /** The days, as `readReportPeriod` reads them. */
  days: Record<string, string>;
};

/** Invalid parameters are ignored: a truncated address still shows a report. */
export function readAdminReportAddress(params: URLSearchParams): AdminReportAddress {
  const shown = readId(params.get('shown')) ?? words.ORGANIZATIONS_SHOWN;
  return {
    org: readId(params.get('org')),
    affiliate: readId(params.get('affiliate')),
    gallery: readId(params.get('gallery')),
    reconciled: params.get('reconciled') === '1',
    shown: Math.min(Math.max(shown, words.ORGANIZATIONS_SHOWN), words.MOST_ORGANIZATIONS_SHOWN),
    days: Object.fromEntries(
      ['from', 'to', 'period'].flatMap((name) => {
        const text = params.get(name);
        return text === null ? [] : [[name, text]];
      }),
    ),
  };
}

/** The address of the same report with a change; `shown` is reset unless it is what changes. */
export function adminReportAddress(current: AdminReportAddress, change: Partial<AdminReportAddress>): string {
  const { org, affiliate, gallery, reconciled, days } = { ...current, ...change };
  const query = new URLSearchParams();
  if (org !== null) query.set('org', String(org));
  if (affiliate !== null) query.set('affiliate', String(affiliate));
  if (gallery !== null) query.set('gallery', String(gallery));
  for (const [name, text] of Object.entries(days)) query.set(name, text);
  if (reconciled) query.set('reconciled', '1');
  if (change.shown !== undefined) query.set('shown', String(change.shown));
  const text = query.toString();
  return text === '' ? '/admin-report' : `/admin-report?${text}`;
}

/** The same as the body of the calls. */
export function adminReportBodyOf(address: AdminReportAddress, range: DayRange | null): words.AdminReportBody {
  return {
    org_id: address.org,
    affiliate_id: address.affiliate,
    gallery_id: address.gallery,
    show_reconciled: address.reconciled,
    ...(range ? callDates(range) : { date_range: 'all' }),
  };
}

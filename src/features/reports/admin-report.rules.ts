/** The platform's report: what a row, a section and a file of it say (specification A§3, "Order report row"; design of the calls). */
import type { AdminReportRow, AdminReportAnswer } from '#src/features/reports/admin-report.contract.ts';
import { presentTotals, type Totals } from '#src/features/reports/reports.rules.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { reportDay, type DayRange } from '#src/shared/day-range.ts';
import { formatDollars, toDollars, type Cents } from '#src/shared/money.ts';

/** What buyers were charged, before anything was given back. */
export type Charged = { subtotalCents: Cents; donationCents: Cents; taxCents: Cents; totalCents: Cents };

/** Somebody who sold something, with the sums of all its orders that were asked for. */
export type SellerSums = {
  id: number;
  name: string;
  /** Its path, or host label. */
  path: string;
  parentId: number | null;
  /** The host on which its pages live. */
  hostLabel: string;
  timeZone: string;
  /** Name, date and e-mail are shown for one specific parent only: a flag (decision 22). */
  showsBuyers: boolean;
  totals: Totals;
  charged: Charged;
  /** All orders, those that were given back whole among them. */
  rows: number;
};

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
  status: AdminReportRow['status'];
  card: { brand: string; last4: string } | null;
  reconciledAt: Date | null;
  payoutId: number | null;
  payoutStatus: string | null;
};

/** The row of the call. */
export function presentRow(row: SoldOrderRow): AdminReportRow {
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
    status: row.status,
    stripe_response: JSON.stringify({ amount: row.totalCents, currency: 'usd', ...row.card }),
    reconciled: row.reconciledAt !== null,
    reconciled_at: row.reconciledAt?.toISOString() ?? null,
    payout_id: row.payoutId,
    payout_status: row.payoutStatus,
  };
}

/** An organisation of the call, without its orders. */
export function presentSeller(seller: SellerSums): Omit<AdminReportAnswer[number], 'complete_orders' | 'next'> {
  return {
    id: seller.id,
    name: seller.name,
    domain_name: seller.path,
    parent_organization_id: seller.parentId,
    totals: presentTotals(seller.totals),
  };
}

/** As the page says it, too. */
export const STATUS_NAMES: Record<AdminReportRow['status'], string> = {
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
};
const PAYOUT_NAMES: Record<string, string> = { created: 'In the making', submitted: 'On its way', paid: 'Paid out' };

/** Where an order's money is; empty while it is in no pay-out. */
export function payoutName(status: string | null): string {
  return status === null ? '' : (PAYOUT_NAMES[status] ?? status);
}

const BUYER_HEAD = ['Date', 'First name', 'Last name', 'E-mail'] as const;

/** The head of the file; the buyers' columns only where one of the organisations shows them. */
export function exportHead(showsBuyers: boolean): string[] {
  return [
    'Order',
    'Organization',
    'Domain name',
    ...(showsBuyers ? BUYER_HEAD : []),
    'Subtotal',
    'Donation',
    'Tax',
    'Total',
    'Refunded',
    'Card fee',
    'Platform share',
    'Disputed',
    'Net',
    'Status',
    'Reconciled',
    'Pay-out',
    'Pay-out status',
  ];
}

/** A line of the file, as the page shows the order. */
export function exportCells(row: SoldOrderRow, seller: SellerSums, showsBuyers: boolean): CsvCell[] {
  const buyer = seller.showsBuyers
    ? [reportDay(machineDay(row.createdAt, seller.timeZone)), row.firstName, row.lastName, row.email]
    : BUYER_HEAD.map(() => '');
  return [
    row.id,
    seller.name,
    seller.path,
    ...(showsBuyers ? buyer : []),
    { cents: row.subtotalCents },
    { cents: row.donationCents },
    { cents: row.taxCents },
    { cents: row.totalCents },
    { cents: row.refundedCents },
    { cents: row.feeCents },
    { cents: row.shareCents },
    { cents: row.disputedCents },
    { cents: row.netCents },
    STATUS_NAMES[row.status],
    row.reconciledAt === null ? 'No' : 'Yes',
    row.payoutId ?? '',
    payoutName(row.payoutStatus),
  ];
}

/** "sideline-sales-hawks-2026-11-15-to-2026-11-21.csv" */
export function exportName(range: DayRange | null, path: string | null): string {
  const days = range === null ? 'all-time' : range.from === range.to ? range.from : `${range.from}-to-${range.to}`;
  const whose = path === null ? '' : `${path.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '')}-`;
  return `sideline-sales-${whose}${days}.csv`;
}

/** Sellers in order, gathered so that a batch has about `size` orders; a seller with more is a batch of its own, read in parts. */
export function batchesOf(sellers: readonly SellerSums[], size: number): SellerSums[][] {
  const batches: SellerSums[][] = [];
  let room = 0;
  for (const seller of sellers) {
    const last = batches.at(-1);
    if (last && seller.rows <= room) {
      last.push(seller);
      room -= seller.rows;
    } else {
      batches.push([seller]);
      room = Math.max(0, size - seller.rows);
    }
  }
  return batches;
}

import type { ReactNode } from 'react';
import type { AdminReportRow } from '#src/features/admin-reports/admin-report.contract.ts';
import {
  payoutName,
  STATUS_NAMES,
  type Charged,
  type SellerSection,
} from '#src/features/admin-reports/admin-report.rules.ts';
import { ORGANIZATION_GETS } from '#src/features/reports/money-words.contract.ts';
import type { Totals } from '#src/features/reports/reports.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { reportDay } from '#src/shared/day-range.ts';
import { cents, formatDollars, type Cents } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';

/** A column of orders; in a card, a line. */
export type OrderColumn = {
  label: string;
  cell: (order: AdminReportRow) => ReactNode;
  /** Under the column, the sum of all orders that were asked for. */
  sum?: (sums: { totals: Totals; charged: Charged }) => string;
  isAmount?: boolean;
  /** How much of a card's row a long text takes. */
  span?: string;
};

const dollars = (amount: number) => formatDollars(cents(Math.round(amount * 100)));
const amount = (
  label: string,
  pick: (order: AdminReportRow) => number,
  sum: (sums: { totals: Totals; charged: Charged }) => Cents,
): OrderColumn => ({
  label,
  isAmount: true,
  cell: (order) => <Amount text={dollars(pick(order))} />,
  sum: (sums) => formatDollars(sum(sums)),
});

/** What is nothing steps back, so that the eye finds the rest. */
function Amount({ text }: { text: string }) {
  return text === '$0.00' ? <span className="font-normal text-quiet">{text}</span> : text;
}

/** Which columns an organization's orders have: those of buyers by its flag, and of amounts those that someone has. */
export function columnsFor({ showsBuyers, timeZone, totals, charged }: SellerSection): OrderColumn[] {
  const buyers: OrderColumn[] = [
    { label: 'Date', cell: (order) => reportDay(machineDay(new Date(order.created_at), timeZone)) },
    {
      label: 'Name',
      cell: (order) => `${order.first_name} ${order.last_name}`.trim(),
      span: 'max-sm:col-span-full sm:col-span-2',
    },
    {
      label: 'Email',
      cell: (order) => <span className="wrap-anywhere">{order.email_address}</span>,
      span: 'col-span-full',
    },
  ];
  return [
    ...(showsBuyers ? buyers : []),
    amount(
      'Subtotal',
      (order) => order.subtotal,
      (sums) => sums.charged.subtotalCents,
    ),
    {
      label: 'Donation',
      isAmount: true,
      cell: (order) => <Amount text={order.additional_donation} />,
      sum: (sums) => formatDollars(sums.charged.donationCents),
    },
    ...(charged.taxCents === 0
      ? []
      : [
          amount(
            'Tax',
            (order) => order.tax,
            (sums) => sums.charged.taxCents,
          ),
        ]),
    amount(
      'Total',
      (order) => order.total,
      (sums) => sums.charged.totalCents,
    ),
    ...(totals.refundsCents === 0
      ? []
      : [
          amount(
            'Refunded',
            (order) => order.refunded,
            (sums) => sums.totals.refundsCents,
          ),
        ]),
    amount(
      'Card fee',
      (order) => order.fee,
      (sums) => sums.totals.feesCents,
    ),
    amount(
      'Share',
      (order) => order.share,
      (sums) => sums.totals.shareCents,
    ),
    ...(totals.disputedCents === 0
      ? []
      : [
          amount(
            'Disputed',
            (order) => order.disputed,
            (sums) => sums.totals.disputedCents,
          ),
        ]),
    amount(
      ORGANIZATION_GETS,
      (order) => order.net,
      (sums) => sums.totals.netCents,
    ),
  ];
}

const STATUS_TONES = {
  paid: 'success',
  partially_refunded: 'warning',
  refunded: 'neutral',
  disputed: 'danger',
} as const;

/** The outcome of an order, in the words of the members' list; a paid one that is paid out says only that. */
export function OrderStatusNote({ order }: { order: AdminReportRow }) {
  const payout = payoutName(order.payout_status);
  return (
    <span className="inline-flex flex-wrap gap-1">
      {(order.status !== 'paid' || payout === '') && (
        <Badge tone={STATUS_TONES[order.status]}>{STATUS_NAMES[order.status]}</Badge>
      )}
      {payout !== '' && <Badge tone={order.payout_status === 'paid' ? 'success' : 'accent'}>{payout}</Badge>}
    </span>
  );
}

import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import {
  errorSavingOrder,
  ORDERS_SHOWN,
  type AdminReportBody,
  type AdminReportRow,
} from '#src/features/admin-reports/admin-report.contract.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { api } from '#src/web/api-client.ts';
import { payoutName, type Charged, type SellerSection } from '#src/features/admin-reports/admin-report.rules.ts';
import { PREPAID_CREDIT } from '#src/features/refunds/refunds.rules.ts';
import { OrderState } from '#src/features/refunds/ui/office-order.tsx';
import { ORGANIZATION_GETS, SALES_AND_DONATIONS } from '#src/features/reports/money-words.contract.ts';
import { REPORTING_ERROR } from '#src/features/reports/reports.contract.ts';
import { offerFigures, type Totals } from '#src/features/reports/reports.rules.ts';
import { countFigure } from '#src/features/reports/ui/chart-of-sales.tsx';
import { machineDay } from '#src/shared/dates.ts';
import { reportDay } from '#src/shared/day-range.ts';
import { formatDollars, sumCents, dollarText, type Cents } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { showToast } from '#src/ui/toast.ts';

/** One organization: the sums of its orders, and the orders, newest first; more of them on demand. */
export function SellerSales({ seller, body }: { seller: SellerSection; body: AdminReportBody }) {
  const heading = useId();
  const [more, setMore] = useState<readonly AdminReportRow[]>([]);
  const [next, setNext] = useState(seller.next);
  const [marks, setMarks] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [isLoading, setLoading] = useState(false);
  const orders = [...seller.orders, ...more].map((order) => ({
    ...order,
    reconciled: marks.get(order.id) ?? order.reconciled,
  }));
  const left = seller.rows - orders.length;

  async function load(): Promise<void> {
    if (next === null) return;
    setLoading(true);
    const answer = await loadOrders(body, seller.id, next);
    setLoading(false);
    if (answer === null) return void showToast(REPORTING_ERROR, 'error');
    setMore((before) => [...before, ...answer.complete_orders]);
    setNext(answer.next);
  }

  const { totals } = seller;
  const figures = [
    countFigure('order', totals.orders),
    {
      name: SALES_AND_DONATIONS.toLowerCase(),
      value: formatDollars(sumCents([totals.salesCents, totals.donationsCents])),
    },
    ...offerFigures(totals).map(({ words, amountCents }) => ({
      name: words.toLowerCase(),
      value: formatDollars(amountCents),
    })),
    { name: ORGANIZATION_GETS.toLowerCase(), value: formatDollars(totals.netCents) },
  ];
  const list: OrderListProps = {
    seller,
    orders,
    columns: columnsFor(seller),
    mark: (order, showsLabel) => (
      <ReconciledBox
        order={order}
        showsLabel={showsLabel}
        onSaved={(reconciled) => setMarks((before) => new Map(before).set(order.id, reconciled))}
      />
    ),
  };
  return (
    <Card role="region" aria-labelledby={heading}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-4 py-3.5">
        <h3 id={heading} className="min-w-0 text-base break-words">
          {seller.name}
        </h3>
        <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm tabular-nums">
          {figures.map(({ name, value }) => (
            <div key={name} className="flex flex-row-reverse gap-x-1.5">
              <dt className="text-quiet">{name}</dt>
              <dd className="font-bold whitespace-nowrap">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <OrderRows {...list} />
      <OrderCards {...list} />
      {next !== null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3">
          <Button variant="secondary" size="small" busy={isLoading && 'Loading...'} onClick={() => void load()}>
            Show more orders
          </Button>
          <span className="text-sm text-quiet">
            {counted(left, 'more order', 'more orders')}
            <span className="sr-only"> of {seller.name}</span>
          </span>
        </div>
      )}
    </Card>
  );
}

type Sums = { totals: Totals; charged: Charged };
/** A column of orders; a line on a card. */
type OrderColumn = {
  label: string;
  cell: (order: AdminReportRow) => ReactNode;
  /** The sum of all matching orders, below the column. */
  sum?: (sums: Sums) => Cents;
  /** How many grid columns a long text takes on a card. */
  span?: string;
};

/** `isRare`: left out if no order has any. */
const AMOUNTS: readonly {
  label: string;
  text: (order: AdminReportRow) => string;
  sum: (sums: Sums) => Cents;
  isRare?: boolean;
}[] = [
  { label: 'Subtotal', text: (order) => dollarText(order.subtotal), sum: ({ charged }) => charged.subtotalCents },
  { label: 'Donation', text: (order) => order.additional_donation, sum: ({ charged }) => charged.donationCents },
  { label: 'Tax', text: (order) => dollarText(order.tax), sum: ({ charged }) => charged.taxCents, isRare: true },
  { label: 'Total', text: (order) => dollarText(order.total), sum: ({ charged }) => charged.totalCents },
  {
    label: PREPAID_CREDIT,
    text: (order) => dollarText(order.credit_used ?? 0),
    sum: ({ totals }) => totals.creditUsedCents,
    isRare: true,
  },
  {
    label: 'Refunded',
    text: (order) => dollarText(order.refunded),
    sum: ({ totals }) => totals.refundsCents,
    isRare: true,
  },
  { label: 'Card fee', text: (order) => dollarText(order.fee), sum: ({ totals }) => totals.feesCents },
  { label: 'Share', text: (order) => dollarText(order.share), sum: ({ totals }) => totals.shareCents },
  {
    label: 'Disputed',
    text: (order) => dollarText(order.disputed),
    sum: ({ totals }) => totals.disputedCents,
    isRare: true,
  },
  { label: ORGANIZATION_GETS, text: (order) => dollarText(order.net), sum: ({ totals }) => totals.netCents },
];

/** Zero amounts are grayed out, so that the others stand out. */
function Amount({ text }: { text: string }) {
  return text === '$0.00' ? <span className="font-normal text-quiet">{text}</span> : text;
}

/** The columns for an organization's orders: buyers' columns by its flag, and amounts that at least one order has. */
function columnsFor(seller: SellerSection): OrderColumn[] {
  const buyers: OrderColumn[] = [
    { label: 'Date', cell: (order) => reportDay(machineDay(new Date(order.created_at), seller.timeZone)) },
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
  const amounts = AMOUNTS.filter(({ sum, isRare }) => !isRare || sum(seller) !== 0);
  return [
    ...(seller.showsBuyers ? buyers : []),
    ...amounts.map(({ label, text, sum }) => ({
      label,
      sum,
      cell: (order: AdminReportRow) => <Amount text={text(order)} />,
    })),
  ];
}

type OrderListProps = {
  seller: SellerSection;
  orders: readonly AdminReportRow[];
  columns: readonly OrderColumn[];
  mark: (order: AdminReportRow, showsLabel: boolean) => ReactNode;
};

const HEAD = 'px-2 py-2.5 align-bottom font-semibold whitespace-nowrap first:pl-4 last:pr-4';
const CELL = 'px-2 py-2 align-middle whitespace-nowrap first:pl-4 last:pr-4';

/** A table on wide screens. With buyers' columns it is wider than the page and scrolls horizontally. */
function OrderRows({ seller, orders, columns, mark }: OrderListProps) {
  return (
    <section
      aria-label={`Orders of ${seller.name}`}
      className="relative overflow-x-auto border-t border-line max-lg:hidden"
    >
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">Orders of {seller.name}, newest first</caption>
        <thead>
          <tr className="text-left text-quiet">
            {['Reconciled', 'Order', 'State'].map((label) => (
              <th key={label} scope="col" className={HEAD}>
                {label}
              </th>
            ))}
            {columns.map(({ label, sum }) => (
              <th key={label} scope="col" className={cx(HEAD, sum && 'text-right')}>
                {label}
              </th>
            ))}
            <th scope="col" className={HEAD}>
              <span className="sr-only">Refund</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id} className="border-t border-line hover:bg-sunken">
              <td className={CELL}>{mark(order, false)}</td>
              <th scope="row" className={cx(CELL, 'text-left font-semibold')}>
                <OrderLink seller={seller} order={order} />
              </th>
              <td className={CELL}>
                <OrderBadges order={order} />
              </td>
              {columns.map(({ label, cell, sum }) => (
                <td key={label} className={cx(CELL, sum && 'text-right', label === ORGANIZATION_GETS && 'font-bold')}>
                  {cell(order)}
                </td>
              ))}
              <td className={cx(CELL, 'text-right')}>
                <RefundLink order={order} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <SumsRow seller={seller} columns={columns} />
        </tfoot>
      </table>
    </section>
  );
}

function SumsRow({ seller, columns }: Pick<OrderListProps, 'seller' | 'columns'>) {
  const summed = columns.filter(({ sum }) => sum !== undefined);
  return (
    <tr className="border-t border-line-strong font-bold">
      <th scope="row" colSpan={3 + columns.length - summed.length} className={cx(CELL, 'text-left')}>
        {seller.rows === 1 ? '1 order' : `All ${formatCount(seller.rows)} orders`}
      </th>
      {summed.map(({ label, sum }) => (
        <td key={label} className={cx(CELL, 'text-right')}>
          {sum && formatDollars(sum(seller))}
        </td>
      ))}
      <td className={CELL}>
        <span className="sr-only">{seller.name}</span>
      </td>
    </tr>
  );
}

/** On narrow screens each order is a card. */
function OrderCards({ seller, orders, columns, mark }: OrderListProps) {
  return (
    <ul aria-label={`Orders of ${seller.name}`} className="divide-y divide-line border-t border-line lg:hidden">
      {orders.map((order) => (
        <li key={order.id} className="px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-bold">
              <OrderLink seller={seller} order={order} />
              <OrderBadges order={order} />
              <RefundLink order={order} />
            </span>
            {mark(order, true)}
          </div>
          <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] gap-x-6 gap-y-1 text-sm tabular-nums sm:grid-cols-3">
            {columns.map(({ label, cell, sum, span }) => (
              <div key={label} className={cx('flex min-w-0 flex-wrap items-baseline gap-x-2', span)}>
                <dt className="text-quiet">{label}</dt>
                <dd className={cx('min-w-0', sum && 'ml-auto', label === ORGANIZATION_GETS && 'font-bold')}>
                  {cell(order)}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const LINK =
  'inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 pointer-fine:min-h-0';

/** Links to the receipt on the host of the organization's parent. */
function OrderLink({ seller, order }: { seller: SellerSection; order: AdminReportRow }) {
  return (
    <a href={`${seller.site}/${seller.path}/order/${order.id}`} className={LINK}>
      <span className="sr-only">Order </span>#{order.id}
    </a>
  );
}

/** Links to the refunds page with this order, if there is something to refund. */
function RefundLink({ order }: { order: AdminReportRow }) {
  if (order.total === 0 || order.refunded >= order.total) return <span className="sr-only">Nothing to refund</span>;
  return (
    <Link to={`/admin/refunds?search=${order.id}`} className={`${LINK} text-sm font-normal`}>
      Refund<span className="sr-only"> order {order.id}</span>
    </Link>
  );
}

/** An order's status, in the words of the members' list, and its payout, which replaces the status `paid`. */
function OrderBadges({ order }: { order: AdminReportRow }) {
  const payout = payoutName(order.payout_status);
  return (
    <span className="inline-flex flex-wrap gap-1">
      {(order.status !== 'paid' || payout === '') && <OrderState status={order.status} />}
      {payout !== '' && <Badge tone={order.payout_status === 'paid' ? 'success' : 'accent'}>{payout}</Badge>}
    </span>
  );
}

type ReconciledBoxProps = {
  order: AdminReportRow;
  /** Next to the box; if the column has a header, the label is for screen readers only. */
  showsLabel: boolean;
  onSaved: (reconciled: boolean) => void;
};

/** Marks an order immediately and reverts the box if saving fails (specification A§8, "Marking order"). */
function ReconciledBox({ order, showsLabel, onSaved }: ReconciledBoxProps) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isSaving = wanted !== null;

  async function save(next: boolean): Promise<void> {
    setWanted(next);
    const problem = await saveReconciled(order.id, next);
    setWanted(null);
    if (problem === null) onSaved(next);
    else showToast(problem, 'error');
  }

  return (
    // 44 px for a finger, around a box of normal size.
    <label
      className={cx(
        'inline-flex min-h-11 items-center gap-3 align-middle text-sm',
        showsLabel ? 'pointer-fine:min-h-0' : '-m-2.5 w-11 justify-center',
      )}
    >
      <input
        type="checkbox"
        aria-label={`Reconciled, order ${order.id}`}
        checked={wanted ?? order.reconciled}
        aria-busy={isSaving || undefined}
        onChange={(event) => {
          if (!isSaving) void save(event.target.checked);
        }}
        className="size-5.5 accent-accent-text"
      />
      {showsLabel && 'Reconciled'}
    </label>
  );
}

/** Marks an order; returns the error message, or null. */
async function saveReconciled(orderId: number, reconciled: boolean): Promise<string | null> {
  const answer = await api('PUT /api/v1/orders/{id}', { params: { id: orderId }, body: { order: { reconciled } } });
  return answer.ok ? null : errorSavingOrder(orderId);
}

/** More orders of one organization after `after`; null if they could not be read. */
async function loadOrders(body: AdminReportBody, sellerId: number, after: number) {
  const answer = await api('POST /api/v1/orders/admin-report', {
    query: { limit: 2 * ORDERS_SHOWN, after },
    body: { ...body, org_id: null, affiliate_id: sellerId },
  });
  return answer.ok ? (answer.data[0] ?? null) : null;
}

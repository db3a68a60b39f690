import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AdminReportRow } from '#src/features/admin-reports/admin-report.contract.ts';
import type { SellerSection } from '#src/features/admin-reports/admin-report.rules.ts';
import { ORGANIZATION_GETS } from '#src/features/reports/money-words.contract.ts';
import { columnsFor, OrderStatusNote, type OrderColumn } from '#src/features/admin-reports/ui/order-columns.tsx';
import { ReconciledBox } from '#src/features/admin-reports/ui/reconciled-box.tsx';
import { cx } from '#src/ui/cx.ts';

type SellerOrdersProps = {
  seller: SellerSection;
  orders: readonly AdminReportRow[];
  onMarked: (orderId: number, reconciled: boolean) => void;
};

const HEAD = 'px-2 py-2.5 align-bottom font-semibold whitespace-nowrap first:pl-4 last:pr-4';
const CELL = 'px-2 py-2 align-middle whitespace-nowrap first:pl-4 last:pr-4';

/** Orders as a table; on narrow screens each one a card. */
export function SellerOrders({ seller, orders, onMarked }: SellerOrdersProps) {
  const columns = columnsFor(seller);
  const mark: Mark = (order, showsLabel) => (
    <ReconciledBox orderId={order.id} reconciled={order.reconciled} showsLabel={showsLabel} onSaved={onMarked} />
  );
  return (
    <>
      <OrderRows seller={seller} orders={orders} columns={columns} mark={mark} />
      <OrderCards seller={seller} orders={orders} columns={columns} mark={mark} />
    </>
  );
}

type Mark = (order: AdminReportRow, showsLabel: boolean) => ReactNode;
type OrderListProps = Omit<SellerOrdersProps, 'onMarked'> & { columns: readonly OrderColumn[]; mark: Mark };

/** Wider than the page where buyers' columns stand: then it moves in itself. */
function OrderRows({ seller, orders, columns, mark }: OrderListProps) {
  return (
    <section aria-label={`Orders of ${seller.name}`} className="overflow-x-auto border-t border-line max-lg:hidden">
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">Orders of {seller.name}, newest first</caption>
        <thead>
          <tr className="text-left text-quiet">
            <th scope="col" className={HEAD}>
              Reconciled
            </th>
            <th scope="col" className={HEAD}>
              Order
            </th>
            <th scope="col" className={HEAD}>
              State
            </th>
            {columns.map(({ label, isAmount }) => (
              <th key={label} scope="col" className={cx(HEAD, isAmount && 'text-right')}>
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
                <OrderStatusNote order={order} />
              </td>
              {columns.map(({ label, cell, isAmount }) => (
                <td
                  key={label}
                  className={cx(CELL, isAmount && 'text-right', label === ORGANIZATION_GETS && 'font-bold')}
                >
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
          <Sums seller={seller} columns={columns} />
        </tfoot>
      </table>
    </section>
  );
}

function OrderCards({ seller, orders, columns, mark }: OrderListProps) {
  return (
    <ul aria-label={`Orders of ${seller.name}`} className="divide-y divide-line border-t border-line lg:hidden">
      {orders.map((order) => (
        <li key={order.id} className="px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-bold">
              <OrderLink seller={seller} order={order} />
              <OrderStatusNote order={order} />
              <RefundLink order={order} />
            </span>
            {mark(order, true)}
          </div>
          <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-sm tabular-nums sm:grid-cols-3">
            {columns.map(({ label, cell, isAmount, span }) => (
              <div key={label} className={cx('flex min-w-0 flex-wrap items-baseline gap-x-2', span)}>
                <dt className="text-quiet">{label}</dt>
                <dd className={cx('min-w-0', isAmount && 'ml-auto', label === ORGANIZATION_GETS && 'font-bold')}>
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

/** To the receipt, which lives on the host of the organization's parent. */
function OrderLink({ seller, order }: { seller: SellerSection; order: AdminReportRow }) {
  return (
    <a
      href={`${seller.site}/${seller.path}/order/${order.id}`}
      className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 pointer-fine:min-h-0"
    >
      <span className="sr-only">Order </span>#{order.id}
    </a>
  );
}

/** To the refunds page, with this order on it; where there is something to give back. */
function RefundLink({ order }: { order: AdminReportRow }) {
  if (order.total === 0 || order.refunded >= order.total) return <span className="sr-only">Nothing to refund</span>;
  return (
    <Link
      to={`/admin/refunds?search=${order.id}`}
      className="inline-flex min-h-11 items-center text-sm font-normal underline decoration-line-strong underline-offset-4 pointer-fine:min-h-0"
    >
      Refund<span className="sr-only"> order {order.id}</span>
    </Link>
  );
}

function Sums({ seller, columns }: { seller: SellerSection; columns: readonly OrderColumn[] }) {
  const before = columns.findIndex(({ sum }) => sum !== undefined);
  return (
    <tr className="border-t border-line-strong font-bold">
      <th scope="row" colSpan={3 + Math.max(0, before)} className={cx(CELL, 'text-left')}>
        {seller.rows === 1 ? 'The one order' : `All ${seller.rows.toLocaleString('en-US')} orders`}
      </th>
      {columns.slice(Math.max(0, before)).map(({ label, sum }) => (
        <td key={label} className={cx(CELL, 'text-right')}>
          {sum?.(seller)}
        </td>
      ))}
      <td className={CELL}>
        <span className="sr-only">{seller.name}</span>
      </td>
    </tr>
  );
}

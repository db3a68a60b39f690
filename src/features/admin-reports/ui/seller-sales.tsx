import { useId, useState } from 'react';
import type { AdminReportBody, AdminReportRow } from '#src/features/admin-reports/admin-report.contract.ts';
import { loadOrders } from '#src/features/admin-reports/admin-report.client.ts';
import type { SellerSection } from '#src/features/admin-reports/admin-report.rules.ts';
import { ORGANIZATION_GETS, SALES_AND_DONATIONS } from '#src/features/reports/money-words.contract.ts';
import { SellerOrders } from '#src/features/admin-reports/ui/seller-orders.tsx';
import { REPORTING_ERROR } from '#src/features/reports/reports.contract.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { showToast } from '#src/ui/toast.ts';

/** One organization: what its orders come to, and the orders, newest first; more of them on demand. */
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
    { name: totals.orders === 1 ? 'order' : 'orders', value: totals.orders.toLocaleString('en-US') },
    {
      name: SALES_AND_DONATIONS.toLowerCase(),
      value: formatDollars(sumCents([totals.salesCents, totals.donationsCents])),
    },
    { name: ORGANIZATION_GETS.toLowerCase(), value: formatDollars(totals.netCents) },
  ];
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
              <dd className="font-bold">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <SellerOrders
        seller={seller}
        orders={orders}
        onMarked={(orderId, reconciled) => setMarks((before) => new Map(before).set(orderId, reconciled))}
      />
      {next !== null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3">
          <Button variant="secondary" size="small" busy={isLoading && 'Loading...'} onClick={() => void load()}>
            Show more orders
          </Button>
          <span className="text-sm text-quiet">
            {left === 1 ? '1 more order' : `${left.toLocaleString('en-US')} more orders`}
            <span className="sr-only"> of {seller.name}</span>
          </span>
        </div>
      )}
    </Card>
  );
}

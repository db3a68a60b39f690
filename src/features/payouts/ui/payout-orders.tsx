import type { OrdersOfPayout } from '#src/features/payouts/payout-orders.client.ts';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** The orders of a payout, as `usePayoutOrders` has them. */
export function PayoutOrders({ payoutId, orders }: { payoutId: number; orders: OrdersOfPayout }) {
  const { lines, next, isLoading, failure, load } = orders;
  if (lines.length === 0 && isLoading)
    return (
      <div aria-busy="true" aria-label="Orders are loading" role="status" className="mt-2">
        <Skeleton className="h-24 w-full" />
      </div>
    );
  return (
    <div className="mt-2 flex flex-col gap-3">
      {lines.length > 0 && (
        <table className="w-full border-collapse text-sm tabular-nums">
          <caption className="sr-only">Orders of payout {payoutId}</caption>
          <thead>
            <tr className="text-left text-quiet">
              <th scope="col" className="py-2 pr-3 font-semibold">
                Order
              </th>
              <th scope="col" className="px-3 py-2 font-semibold">
                Sold
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-semibold">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.order_id} className="border-t border-line">
                <th scope="row" className="py-2 pr-3 text-left font-normal">
                  #{line.order_id}
                  {line.kind === 'carry' && <span className="text-quiet"> carried over</span>}
                </th>
                <td className="px-3 py-2">{line.paid_at && <DateText at={new Date(line.paid_at)} />}</td>
                <td className="py-2 pl-3 text-right">{signed(line.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {failure !== null && (
        <div role="alert">
          <Notice tone="warning">{failure}</Notice>
        </div>
      )}
      {(next !== null || failure !== null) && (
        <Button
          variant="secondary"
          size="small"
          className="self-center"
          busy={isLoading && 'Loading...'}
          onClick={() => void load()}
        >
          {failure === null ? 'Show more orders' : 'Try again'}
        </Button>
      )}
    </div>
  );
}

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
/** What was carried over may be below nothing. */
const signed = (dollars: number) => dollarFormat.format(dollars);

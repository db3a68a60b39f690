import { Link } from 'react-router';
import type { PastRefund } from '#src/features/refunds/refund-lists.service.ts';
import { dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DateText } from '#src/ui/date-text.tsx';

const STATES = {
  pending: <Badge>Being confirmed</Badge>,
  given: <Badge tone="success">Refunded</Badge>,
  refused: <Badge tone="danger">Refused</Badge>,
};
const HEAD = 'px-4 py-3 font-semibold';
const CELL = 'px-4 py-3 align-top';

/** A table on wide screens, a list of short paragraphs on narrow ones. */
export function PastRefunds({ refunds }: { refunds: readonly PastRefund[] }) {
  return (
    <>
      <div className="rounded-lg border border-line bg-surface max-lg:hidden">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Refunds, newest first</caption>
          <thead>
            <tr className="border-b border-line text-left text-quiet">
              {['Date', 'Order', 'Buyer', 'Organization', 'Why', 'By', 'State'].map((words) => (
                <th key={words} className={HEAD}>
                  {words}
                </th>
              ))}
              <th className={`${HEAD} text-right`}>Amount</th>
            </tr>
          </thead>
          <tbody>
            {refunds.map((refund) => (
              <tr key={refund.id} className="border-b border-line last:border-0">
                <td className={CELL}>
                  <DateText at={new Date(refund.created_at)} timeZone={refund.seller.timeZone} />
                </td>
                <td className={CELL}>
                  <OrderLink id={refund.order_id} />
                </td>
                <td className={CELL}>{refund.buyer}</td>
                <td className={CELL}>{refund.seller.name}</td>
                <td className={`${CELL} max-w-xs break-words text-quiet`}>{refund.reason}</td>
                <td className={CELL}>{refund.given_by}</td>
                <td className={CELL}>{STATES[refund.state]}</td>
                <td className={`${CELL} text-right tabular-nums`}>{amountOf(refund)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label="Refunds, newest first" className="flex flex-col gap-3 lg:hidden">
        {refunds.map((refund) => (
          <li key={refund.id} className="rounded-lg border border-line bg-surface p-4 text-sm">
            <div className="flex items-start justify-between gap-4">
              <p className="font-semibold">
                Order <OrderLink id={refund.order_id} />
              </p>
              <p className="text-base font-semibold tabular-nums">{amountOf(refund)}</p>
            </div>
            <p className="mt-0.5 break-words text-quiet">
              {refund.buyer} · {refund.seller.name} ·{' '}
              <DateText at={new Date(refund.created_at)} timeZone={refund.seller.timeZone} />
            </p>
            {refund.reason !== null && <p className="mt-1.5 break-words">{refund.reason}</p>}
            <p className="mt-2 flex flex-wrap items-center gap-2 text-quiet">
              {STATES[refund.state]} {refund.given_by}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

const amountOf = ({ amount }: PastRefund) => dollarText(amount);

function OrderLink({ id }: { id: number }) {
  return (
    <Link
      to={`/admin/refunds?search=${id}`}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-ink"
    >
      {id}
    </Link>
  );
}

import { useId, useState } from 'react';
import {
  STATUS_WORDS,
  type OfficePayout,
  type PayoutLinesPage,
  type StatusWithReturned,
} from '#src/features/payouts/payouts.contract.ts';
import { counted } from '#src/shared/counted.ts';
import { publicDay } from '#src/shared/dates.ts';
import { dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { DateText } from '#src/ui/date-text.tsx';
import { ChevronDown, Download } from '#src/ui/icon.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type Line = PayoutLinesPage['lines'][number];
export type Verb = 'confirm' | 'fail' | 'return';
type PayoutRowProps = { payout: OfficePayout; viewerId: number; onDecide: (verb: Verb) => void };

export const rowId = (payoutId: number) => `payout-${payoutId}`;

/** One payout: its outcome, and its orders on request. */
export function PayoutRow({ payout, viewerId, onDecide }: PayoutRowProps) {
  const [isOpen, setOpen] = useState(false);
  const orders = useMoreRows<'lines', Line>(null, 'lines', (query) =>
    api('GET /api/v1/payouts/{id}/orders', { params: { id: payout.id }, query }),
  );
  const id = useId();
  const isWaiting = payout.status === 'created' || payout.status === 'submitted';
  const needsSecond = isWaiting && payout.needs_second_person;
  // The server refuses it, too; this tells its creator before they type a reference.
  const isOwn = needsSecond && payout.created_by?.id === viewerId;
  function toggle(): void {
    setOpen(!isOpen);
    if (!isOpen && orders.rows.length === 0 && !orders.more.isLoading) void orders.more.onMore();
  }

  return (
    <li id={rowId(payout.id)} className="border-line px-4 py-3.5 not-first:border-t">
      <div className="flex flex-wrap items-start justify-between gap-x-6">
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <strong className="min-w-0 break-words">{payout.organization_name}</strong>
            <Badge tone={TONES[payout.status]}>{STATUS_WORDS[payout.status]}</Badge>
            {needsSecond && <Badge tone="warning">Needs a second approval</Badge>}
          </p>
          <p className="mt-0.5 text-sm text-quiet">
            Payout {payout.id} · <Facts payout={payout} />
          </p>
          {isWaiting && <PayTo {...payout} />}
        </div>
        <strong className="ml-auto text-lg tabular-nums">{dollarText(payout.amount)}</strong>
      </div>
      {isOwn && (
        <p className="mt-1 max-w-[66ch] text-sm">
          You made this payout, and it needs approval from a second administrator. Ask another platform admin.
        </p>
      )}
      <div className="mt-2 -ml-3 flex flex-wrap items-center gap-x-1 gap-y-2">
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={toggle}
        >
          <ChevronDown aria-hidden="true" className={cx('transition-transform', isOpen && 'rotate-180')} />
          Orders
          <span className="sr-only"> of payout {payout.id}</span>
        </Button>
        {isWaiting && (
          <a
            href={`/api/v1/payouts/${payout.id}/bank.csv`}
            download
            className={buttonStyle({ variant: 'quiet', size: 'small' })}
          >
            <Download aria-hidden="true" />
            Bank file
            <span className="sr-only"> of payout {payout.id}</span>
          </a>
        )}
        <Decisions payout={payout} isWaiting={isWaiting} isOwn={isOwn} onDecide={onDecide} />
      </div>
      {isOpen && (
        <div id={id}>
          <PayoutOrders payoutId={payout.id} lines={orders.rows} more={orders.more} />
        </div>
      )}
    </li>
  );
}

/** Where the money goes; an organization without an address has to be asked. */
function PayTo({ payee: { name, address }, organization_name }: OfficePayout) {
  return (
    <p className="mt-0.5 text-sm break-words text-quiet">
      {name !== organization_name && `To ${name}. `}
      {address ?? 'It has no billing address in its settings.'}
    </p>
  );
}

type DecisionsProps = Pick<PayoutRowProps, 'payout' | 'onDecide'> & { isWaiting: boolean; isOwn: boolean };

/** What the bank did with it. */
function Decisions({ payout, isWaiting, isOwn, onDecide }: DecisionsProps) {
  return (
    <>
      {payout.status === 'paid' && (
        <span className="ml-auto max-sm:ml-0 sm:-mr-3">
          <Button variant="quiet" size="small" onClick={() => onDecide('return')}>
            Returned by the bank
            <span className="sr-only">: payout {payout.id}</span>
          </Button>
        </span>
      )}
      {isWaiting && (
        <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-3">
          <Button variant="danger" size="small" onClick={() => onDecide('fail')}>
            Mark as failed
            <span className="sr-only">: payout {payout.id}</span>
          </Button>
          {!isOwn && (
            <Button variant="secondary" size="small" onClick={() => onDecide('confirm')}>
              Confirm
              <span className="sr-only"> payout {payout.id}</span>
            </Button>
          )}
        </span>
      )}
    </>
  );
}

function Facts({ payout }: { payout: OfficePayout }) {
  return (
    <>
      <DateText at={new Date(payout.created_at)} />
      {payout.created_by && ` by ${payout.created_by.name}`} · {counted(payout.order_count, 'order', 'orders')}
      {payout.sales_from && payout.sales_to && (
        <>
          {' '}
          sold <DateText at={new Date(payout.sales_from)} />
          {publicDay(new Date(payout.sales_from)) !== publicDay(new Date(payout.sales_to)) && (
            <>
              {' '}
              to <DateText at={new Date(payout.sales_to)} />
            </>
          )}
        </>
      )}
      {payout.decided_at && (payout.status === 'paid' || payout.status === 'returned') && (
        <>
          {' '}
          · confirmed <DateText at={new Date(payout.decided_at)} />
          {payout.approved_by && ` by ${payout.approved_by.name}`}, reference{' '}
          <span className="font-semibold break-words text-ink">{payout.reference}</span>
        </>
      )}
      {payout.returned_at && (
        <>
          {' '}
          · returned by the bank <DateText at={new Date(payout.returned_at)} />:{' '}
          <span className="font-semibold break-words text-ink">{payout.failure_reason}</span>
        </>
      )}
      {payout.decided_at && payout.status === 'failed' && (
        <>
          {' '}
          · failed <DateText at={new Date(payout.decided_at)} />:{' '}
          <span className="font-semibold break-words text-ink">{payout.failure_reason}</span>
        </>
      )}
    </>
  );
}

type PayoutOrdersProps = { payoutId: number; lines: readonly Line[]; more: ReturnType<typeof useMoreRows>['more'] };

/** The orders of a payout, loaded on request, page by page. */
function PayoutOrders({ payoutId, lines, more }: PayoutOrdersProps) {
  if (lines.length === 0 && more.isLoading)
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
              {ORDER_HEADS.map(([words, className]) => (
                <th key={words} scope="col" className={cx('py-2 font-semibold', className)}>
                  {words}
                </th>
              ))}
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
                <td className="py-2 pl-3 text-right">{dollarText(line.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ShowMore {...more} label="Show more orders" />
    </div>
  );
}

const ORDER_HEADS = [
  ['Order', 'pr-3'],
  ['Sold', 'px-3'],
  ['Amount', 'pl-3 text-right'],
] as const;

/** The color of a badge; its word says the same. */
export const TONES: Record<StatusWithReturned, 'accent' | 'success' | 'danger' | 'neutral'> = {
  created: 'accent',
  submitted: 'accent',
  paid: 'success',
  failed: 'danger',
  canceled: 'neutral',
  returned: 'danger',
};

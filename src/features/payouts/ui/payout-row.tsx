import { useId, useState } from 'react';
import { STATUS_WORDS, type OfficePayout } from '#src/features/payouts/payouts.contract.ts';
import { usePayoutOrders } from '#src/features/payouts/payout-orders.client.ts';
import { PayoutOrders } from '#src/features/payouts/ui/payout-orders.tsx';
import { TONES } from '#src/features/payouts/ui/payout-tones.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { DateText } from '#src/ui/date-text.tsx';
import { ChevronDown, Download } from '#src/ui/icon.tsx';

export type Verb = 'confirm' | 'fail' | 'return';
type PayoutRowProps = { payout: OfficePayout; viewerId: number; onDecide: (verb: Verb) => void };

export const rowId = (payoutId: number) => `pay-out-${payoutId}`;

/** One payout: its outcome, and on demand its orders. */
export function PayoutRow({ payout, viewerId, onDecide }: PayoutRowProps) {
  const [isOpen, setOpen] = useState(false);
  const orders = usePayoutOrders(payout.id);
  const id = useId();
  const isWaiting = payout.status === 'created' || payout.status === 'submitted';
  const needsSecond = isWaiting && payout.needs_second_person;
  // The server refuses it, too; the person who made it learns so before typing a reference.
  const isOwn = needsSecond && payout.created_by?.id === viewerId;
  function toggle(): void {
    setOpen(!isOpen);
    if (!isOpen && orders.lines.length === 0 && !orders.isLoading) void orders.load();
  }

  return (
    <li id={rowId(payout.id)} className="border-line px-4 py-3.5 not-first:border-t">
      <div className="flex items-start justify-between gap-x-6">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <strong className="min-w-0 break-words">{payout.organization_name}</strong>
            <Badge tone={TONES[payout.status]}>{STATUS_WORDS[payout.status]}</Badge>
            {needsSecond && <Badge tone="warning">Needs a second approval</Badge>}
          </p>
          <p className="mt-0.5 text-sm text-quiet">
            Payout {payout.id} · <Facts payout={payout} />
          </p>
        </div>
        <strong className="text-lg tabular-nums">{formatDollars(parseDollarNumber(payout.amount) ?? ZERO)}</strong>
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
          <PayoutOrders payoutId={payout.id} orders={orders} />
        </div>
      )}
    </li>
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
  const orders = payout.order_count;
  return (
    <>
      <DateText at={new Date(payout.created_at)} />
      {payout.created_by && ` by ${payout.created_by.name}`} · {orders.toLocaleString('en-US')}{' '}
      {orders === 1 ? 'order' : 'orders'}
      {payout.sales_from && payout.sales_to && (
        <>
          {' '}
          sold <DateText at={new Date(payout.sales_from)} /> to <DateText at={new Date(payout.sales_to)} />
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

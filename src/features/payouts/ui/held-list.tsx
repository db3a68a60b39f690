import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { debtSettled, REASONS } from '#src/features/payouts/payouts.contract.ts';
import type { Held, HeldWhy, Review } from '#src/features/payouts/payout-review.rules.ts';
import { SettleDialog } from '#src/features/payouts/ui/payout-dialogs.tsx';
import { counted } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { ChevronRight } from '#src/ui/icon.tsx';
import { showToast } from '#src/ui/toast.ts';

const WORDS: Record<HeldWhy, { label: string; tone: 'neutral' | 'warning' | 'danger' }> = {
  too_new: { label: 'Too new', tone: 'neutral' },
  disputed: { label: 'Disputed', tone: 'danger' },
  negative_balance: { label: 'Negative balance', tone: 'warning' },
  own_account: { label: 'Own account', tone: 'neutral' },
  debt: { label: 'Owes us', tone: 'warning' },
};
const OPEN_UP_TO = 12;

/** What is not paid out now, and why; debts of organizations are settled here. */
export function HeldList({ review, onSettled }: { review: Review; onSettled: () => void }) {
  const [settling, setSettling] = useState<Held | null>(null);
  const summary = useRef<HTMLElement>(null);
  const { held, hasMoreHeld, heldSums, holdDays } = review;
  if (held.length === 0) return null;
  return (
    <details open={held.length <= OPEN_UP_TO} className="group mt-10">
      <summary
        ref={summary}
        className="flex min-h-11 cursor-pointer list-none items-center gap-2 [&::-webkit-details-marker]:hidden"
      >
        <ChevronRight aria-hidden="true" className="size-5 transition-transform group-open:rotate-90" />
        <h2 className="text-lg">Held</h2>
        <span className="text-sm text-quiet tabular-nums">{formatDollars(heldSums.amount)}</span>
      </summary>
      <ul aria-label="Held" className="mt-2 rounded-lg border border-line bg-surface text-sm">
        {held.map((one) => (
          <li
            key={`${one.organizationId} ${one.why}`}
            className="grid gap-x-4 gap-y-1 border-line px-4 py-3 not-first:border-t lg:grid-cols-[minmax(0,16rem)_9rem_minmax(0,1fr)_7rem] lg:items-center"
          >
            <span className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
              <span className="min-w-0 break-words">{one.name}</span>
              <span className="ml-auto whitespace-nowrap tabular-nums lg:hidden">{amountOf(one)}</span>
            </span>
            <span>
              <Badge tone={WORDS[one.why].tone}>{WORDS[one.why].label}</Badge>
            </span>
            <span className="text-quiet">
              <Why held={one} holdDays={holdDays} />
              {one.owesCents > 0 && (
                <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="text-ink">It owes us {formatDollars(one.owesCents)}.</span>
                  <Button variant="secondary" size="small" onClick={() => setSettling(one)}>
                    Paid by invoice
                    <span className="sr-only">: {one.name}</span>
                  </Button>
                </span>
              )}
            </span>
            <span className="text-right tabular-nums max-lg:hidden">{amountOf(one)}</span>
          </li>
        ))}
      </ul>
      {settling && (
        <SettleDialog
          debt={settling}
          onClose={() => setSettling(null)}
          onSettled={() => {
            flushSync(() => setSettling(null));
            // The row disappears with the button that opened this dialog.
            summary.current?.focus();
            showToast(debtSettled(settling.name), 'success');
            onSettled();
          }}
        />
      )}
      {hasMoreHeld && (
        <p className="pt-3 text-sm text-quiet">Others are held with smaller amounts: search for them by name.</p>
      )}
    </details>
  );
}

const amountOf = ({ why, amount }: Held) => (why === 'own_account' || why === 'debt' ? '' : formatDollars(amount));

function Why({ held, holdDays }: { held: Held; holdDays: number }) {
  const orders = counted(held.orders, 'order', 'orders');
  switch (held.why) {
    case 'too_new':
      return (
        <>
          {orders} within the hold time of {holdDays} days
          {held.until && (
            <>
              , the first until <DateText at={held.until} />
            </>
          )}
        </>
      );
    case 'disputed':
      return <>{orders} that buyers dispute at their bank</>;
    case 'own_account':
      return <>{orders} paid into the organization’s own account</>;
    case 'debt':
      return <>Nothing is held</>;
    case 'negative_balance':
      return <>{REASONS.negative_balance}</>;
  }
}

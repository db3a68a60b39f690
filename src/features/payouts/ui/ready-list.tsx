import { useState } from 'react';
import type { PayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import type { Ready, Review } from '#src/features/payouts/payout-review.rules.ts';
import { PayOutDialog } from '#src/features/payouts/ui/pay-out-dialog.tsx';
import { counted, formatCount } from '#src/shared/counted.ts';
import { publicDay } from '#src/shared/dates.ts';
import { formatDollars } from '#src/shared/money.ts';
import { toggled } from '#src/shared/toggled.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { DateText } from '#src/ui/date-text.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';

type ReadyListProps = {
  review: Review;
  /** The search text; the list has what it finds. */
  search: string;
  /** This review was paid out, and a new one is loading. */
  isSpent: boolean;
  onPaid: (answer: PayOutAnswer) => void;
};

/** Who can be paid out now. All are selected at first; those that are deselected wait for the next payout. */
export function ReadyList({ review, search, isSpent, onPaid }: ReadyListProps) {
  const { ready, moreReady, holdDays } = review;
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const chosen = ready.filter((one) => !leftOut.has(one.organizationId));
  const sum = chosen.reduce((total, one) => total + one.amount, 0);
  const toggle = (id: number) => setLeftOut(toggled(leftOut, id));

  return (
    <section
      aria-labelledby="ready"
      aria-busy={isSpent}
      inert={isSpent}
      className={cx('pt-8 transition-opacity', isSpent && 'opacity-60')}
    >
      <h2 id="ready" className="text-lg">
        Ready to pay out
      </h2>
      {ready.length === 0 ? (
        <EmptyState
          icon={<CircleCheck />}
          title={search === '' ? 'Nothing is due' : `Nothing is due to “${search}”`}
          level={3}
        >
          Sales are due {holdDays} days after they were paid.
        </EmptyState>
      ) : (
        <>
          <label className="inline-flex min-h-11 items-center gap-3 text-sm font-semibold">
            <input
              type="checkbox"
              checked={leftOut.size === 0}
              ref={(box) => {
                if (box) box.indeterminate = leftOut.size > 0 && chosen.length > 0;
              }}
              onChange={() =>
                setLeftOut(leftOut.size === 0 ? new Set(ready.map((one) => one.organizationId)) : new Set())
              }
              className={BOX}
            />
            All {formatCount(ready.length)}
          </label>
          <ReadyTable ready={ready} leftOut={leftOut} onToggle={toggle} />
          <ReadyCards ready={ready} leftOut={leftOut} onToggle={toggle} />
          {moreReady > 0 && (
            <p className="pt-3 text-sm text-quiet">
              These are the largest. {formatCount(moreReady)} more follow when they are paid out.
            </p>
          )}
          <div className="sticky-bar sticky bottom-0 z-20 -mx-5 mt-4 max-md:bottom-[calc(3.5rem+var(--tray-height,0px))] flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-5 py-3">
            <p role="status" className="text-sm text-quiet tabular-nums">
              {chosen.length === 0
                ? 'No organizations selected.'
                : `${formatCount(chosen.length)} of ${counted(ready.length, 'organization', 'organizations')} chosen`}
            </p>
            <Button disabled={chosen.length === 0} onClick={() => setAsking(true)} className="ml-auto tabular-nums">
              Pay out {formatDollars(sum)}
            </Button>
          </div>
        </>
      )}
      {isAsking && (
        <PayOutDialog
          chosen={chosen}
          reviewedAt={review.reviewedAt}
          onClose={() => setAsking(false)}
          onPaid={(answer) => {
            setAsking(false);
            onPaid(answer);
          }}
        />
      )}
    </section>
  );
}

const BOX = 'size-5.5 shrink-0 accent-accent-text';
const HEADS = [
  ['Organization', 'pl-4 text-left'],
  ['Sold', 'text-left'],
  ['Orders', 'text-right'],
  ['Gets', 'text-right'],
  ['Carried over', 'text-right'],
  ['To pay', 'pr-4 text-right'],
] as const;

type RowsProps = { ready: readonly Ready[]; leftOut: ReadonlySet<number>; onToggle: (id: number) => void };

function ReadyTable({ ready, leftOut, onToggle }: RowsProps) {
  return (
    <div className="rounded-lg border border-line bg-surface max-lg:hidden">
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">Organizations that can be paid out now</caption>
        <thead>
          <tr className="text-quiet">
            {HEADS.map(([words, className]) => (
              <th key={words} scope="col" className={cx('px-3 py-3 font-semibold', className)}>
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ready.map((one) => (
            <tr
              key={one.organizationId}
              className={cx('border-t border-line', leftOut.has(one.organizationId) && 'text-quiet')}
            >
              <th scope="row" className="px-4 text-left font-semibold">
                <label className="flex min-h-11 items-center gap-3 py-1 break-words">
                  <input
                    type="checkbox"
                    checked={!leftOut.has(one.organizationId)}
                    onChange={() => onToggle(one.organizationId)}
                    className={BOX}
                  />
                  {one.name}
                </label>
              </th>
              <td className="px-3 whitespace-nowrap">
                <SoldDays {...one} />
              </td>
              <td className="px-3 text-right">{formatCount(one.orders)}</td>
              <td className="px-3 text-right">{formatDollars(one.sales)}</td>
              <td className="px-3 text-right">{one.carry === 0 ? <None /> : formatDollars(one.carry)}</td>
              <td className="px-4 text-right font-bold">{formatDollars(one.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** On narrow screens: a card each, with every number. */
function ReadyCards({ ready, leftOut, onToggle }: RowsProps) {
  return (
    <ul aria-label="Organizations that can be paid out now" className="grid gap-3 lg:hidden">
      {ready.map((one) => (
        <li
          key={one.organizationId}
          className="rounded-lg border border-line bg-surface px-4 pt-2 pb-4 text-sm tabular-nums"
        >
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <label className="flex min-h-11 min-w-0 items-center gap-3 font-semibold">
              <input
                type="checkbox"
                checked={!leftOut.has(one.organizationId)}
                onChange={() => onToggle(one.organizationId)}
                className={BOX}
              />
              <span className="min-w-0 break-words">{one.name}</span>
            </label>
            <strong className="ml-auto whitespace-nowrap">{formatDollars(one.amount)}</strong>
          </div>
          <p className="mt-1 text-quiet">
            {counted(one.orders, 'order', 'orders')}
            {one.salesFrom && (
              <>
                {' · '}
                <SoldDays {...one} />
              </>
            )}
          </p>
          {one.carry !== 0 && (
            <p className="mt-1 text-quiet">
              Gets {formatDollars(one.sales)}, {formatDollars(one.carry)} carried over
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function SoldDays({ salesFrom, salesTo }: Pick<Ready, 'salesFrom' | 'salesTo'>) {
  if (!salesFrom || !salesTo) return <None />;
  if (publicDay(salesFrom) === publicDay(salesTo)) return <DateText at={salesTo} />;
  return (
    <>
      <DateText at={salesFrom} /> to <DateText at={salesTo} />
    </>
  );
}

function None() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </>
  );
}

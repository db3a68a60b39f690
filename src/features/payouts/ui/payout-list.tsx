import { useState } from 'react';
import { flushSync } from 'react-dom';
import { PAYOUT_DECIDED, type OfficePayout, type OfficePayoutsPage } from '#src/features/payouts/payouts.contract.ts';
import { DecidePayoutDialog, type DecidingPayout } from '#src/features/payouts/ui/payout-dialogs.tsx';
import { PayoutRow, rowId } from '#src/features/payouts/ui/payout-row.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { DollarSign, Download } from '#src/ui/icon.tsx';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';
import { ShowMore } from '#src/ui/paging.tsx';
import { showToast } from '#src/ui/toast.ts';

type PayoutListProps = {
  status: 'open' | 'all';
  first: OfficePayoutsPage;
  /** The viewer: large payouts cannot be confirmed by their creator. */
  viewerId: number;
  onDecided: () => void;
};

/** Payouts, newest first. A payout that is decided here stays in the list. */
export function PayoutList({ status, first, viewerId, onDecided }: PayoutListProps) {
  const {
    rows: payouts,
    setRows,
    more,
  } = useMoreRows(first, 'payouts', (query) => api('GET /api/v1/payouts', { query: { ...query, status } }));
  const [deciding, setDeciding] = useState<DecidingPayout | null>(null);
  const areOpen = payouts.some((payout) => payout.status === 'created' || payout.status === 'submitted');

  function settle(decided: OfficePayout): void {
    flushSync(() => {
      setRows((known) => known.map((payout) => (payout.id === decided.id ? decided : payout)));
      setDeciding(null);
    });
    // The clicked button is gone from the row; its orders are not.
    document.getElementById(rowId(decided.id))?.querySelector('button')?.focus();
    if (deciding) showToast(PAYOUT_DECIDED[deciding.verb], 'success');
    onDecided();
  }

  if (payouts.length === 0)
    return (
      <EmptyState icon={<DollarSign />} title={`No payouts ${status === 'open' ? 'in progress' : 'yet'}`} level={3}>
        {status === 'open' ? 'Every payout is confirmed or has failed.' : 'What you pay out is listed here.'}
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4 pt-4">
      {areOpen && (
        <a
          href="/api/v1/payouts/bank.csv"
          download
          className={buttonStyle({ variant: 'secondary', size: 'small', className: 'self-end' })}
        >
          <Download aria-hidden="true" />
          Bank file of all in progress
        </a>
      )}
      <ul aria-label="Payouts" className="rounded-lg border border-line bg-surface">
        {payouts.map((payout) => (
          <PayoutRow
            key={payout.id}
            payout={payout}
            viewerId={viewerId}
            onDecide={(verb) => setDeciding({ payout, verb })}
          />
        ))}
      </ul>
      <ShowMore {...more} />
      {deciding && (
        <DecidePayoutDialog
          key={`${deciding.payout.id} ${deciding.verb}`}
          {...deciding}
          onClose={() => setDeciding(null)}
          onDecided={settle}
        />
      )}
    </div>
  );
}

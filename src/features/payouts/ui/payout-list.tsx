import { useState } from 'react';
import { flushSync } from 'react-dom';
import {
  manyConfirmed,
  notConfirmed,
  PAYOUT_DECIDED,
  type ConfirmManyAnswer,
  type OfficePayout,
  type OfficePayoutsPage,
} from '#src/features/payouts/payouts.contract.ts';
import {
  ConfirmManyDialog,
  DecidePayoutDialog,
  type DecidingPayout,
} from '#src/features/payouts/ui/payout-dialogs.tsx';
import { PayoutRow, rowId } from '#src/features/payouts/ui/payout-row.tsx';
import { counted } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { DollarSign, Download, SearchX } from '#src/ui/icon.tsx';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';
import { ShowMore } from '#src/ui/paging.tsx';
import { showToast } from '#src/ui/toast.ts';

type PayoutListProps = {
  status: 'open' | 'all';
  search: string;
  /** Of all payouts, how many are in progress. */
  openCount: number;
  first: OfficePayoutsPage;
  /** The viewer: large payouts cannot be confirmed by their creator. */
  viewerId: number;
  onDecided: () => void;
};

/** Payouts, newest first. A payout that is decided here stays in the list. */
export function PayoutList({ status, search, openCount, first, viewerId, onDecided }: PayoutListProps) {
  const {
    rows: payouts,
    setRows,
    more,
  } = useMoreRows(first, 'payouts', (query) => api('GET /api/v1/payouts', { query: { ...query, status, search } }));
  const [deciding, setDeciding] = useState<DecidingPayout | null>(null);
  const [confirming, setConfirming] = useState<readonly OfficePayout[] | null>(null);
  const [isLoading, setLoading] = useState(false);

  async function confirmSeveral(): Promise<void> {
    setLoading(true);
    const answer = await loadOpen(search);
    setLoading(false);
    if (typeof answer === 'string') return void showToast(answer, 'error');
    const mine = answer.filter((payout) => mayConfirm(payout, viewerId));
    if (mine.length === 0) return void showToast(answer.length === 0 ? NONE_IN_PROGRESS : ONLY_FOR_OTHERS);
    setConfirming(mine);
  }

  function settleMany({ payouts: decided, refused: [refused, ...others] }: ConfirmManyAnswer): void {
    const now = new Map(decided.map((payout) => [payout.id, payout]));
    setRows((known) => known.map((payout) => now.get(payout.id) ?? payout));
    setConfirming(null);
    const confirmed = decided.length - others.length - (refused ? 1 : 0);
    showToast(manyConfirmed(counted(confirmed, 'payout is', 'payouts are')), 'success');
    if (refused) showToast(notConfirmed(refused.id, refused.message, others.length), 'error');
    onDecided();
  }

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

  if (payouts.length === 0) return <Nothing status={status} search={search} />;
  return (
    <div className="flex flex-col gap-4 pt-4">
      <div className="flex flex-wrap justify-end gap-2">
        {openCount > 0 && (
          <>
            <Button
              variant="secondary"
              size="small"
              busy={isLoading && 'Loading...'}
              onClick={() => void confirmSeveral()}
            >
              Confirm several…
            </Button>
            <FileLink to="/api/v1/payouts/bank.csv">Bank file of all in progress</FileLink>
          </>
        )}
        <FileLink to={`/api/v1/payouts.csv?${new URLSearchParams({ status, search })}`}>Download CSV</FileLink>
      </div>
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
      {confirming && <ConfirmManyDialog payouts={confirming} onClose={() => setConfirming(null)} onDone={settleMany} />}
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

const NONE_IN_PROGRESS = 'None of these payouts is in progress.';
const ONLY_FOR_OTHERS = 'Another person, or a provider, has to confirm these payouts.';
const CONFIRMED_AT_MOST = 1_000;

/** A provider reports itself what was submitted to it, and large payouts need a second person. */
const mayConfirm = ({ status, needs_second_person, created_by }: OfficePayout, viewerId: number) =>
  status === 'created' && !(needs_second_person && created_by?.id === viewerId);

/** The payouts in progress that the search finds; or why they cannot be read. */
async function loadOpen(search: string): Promise<OfficePayout[] | string> {
  const found: OfficePayout[] = [];
  for (let after: number | null | undefined; found.length < CONFIRMED_AT_MOST;) {
    const query = { status: 'open' as const, search, limit: 100, ...(after && { after }) };
    const answer = await api('GET /api/v1/payouts', { query });
    if (!answer.ok) return answer.error;
    found.push(...answer.data.payouts);
    after = answer.data.next;
    if (after === null) break;
  }
  return found;
}

function FileLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} download className={buttonStyle({ variant: 'secondary', size: 'small' })}>
      <Download aria-hidden="true" />
      {children}
    </a>
  );
}

function Nothing({ status, search }: Pick<PayoutListProps, 'status' | 'search'>) {
  const which = `No payouts ${status === 'open' ? 'in progress' : 'yet'}`;
  if (search !== '')
    return (
      <EmptyState
        icon={<SearchX />}
        title={`No payouts ${status === 'open' ? 'in progress ' : ''}match “${search}”`}
        level={3}
      >
        Payouts are found by their number, by their whole reference, or by a part of the organization’s name.
      </EmptyState>
    );
  return (
    <EmptyState icon={<DollarSign />} title={which} level={3}>
      {status === 'open' ? 'Every payout is confirmed or has failed.' : 'What you pay out is listed here.'}
    </EmptyState>
  );
}

import { useState } from 'react';
import type { TakedownAnswer, TakedownsPage } from '#src/features/takedowns/takedowns.contract.ts';
import { DecideDialog, type Deciding } from '#src/features/takedowns/ui/decide-dialog.tsx';
import { TakedownCard } from '#src/features/takedowns/ui/takedown-card.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { EyeOff } from '#src/ui/icon.tsx';
import { callApi } from '#src/web/api-client.ts';
import { ShowMore } from '#src/ui/show-more.tsx';

type TakedownListProps = {
  affiliateId: number;
  state: 'open' | 'decided';
  first: TakedownsPage;
  timeZone: string;
  /** For a parent, whose children have requests of their own. */
  namesAffiliate: boolean;
  onDecided: () => void;
};

/** Requests, newest first. What was decided here stays in its place, so that no one loses it from sight. */
export function TakedownList({ affiliateId, state, first, timeZone, namesAffiliate, onDecided }: TakedownListProps) {
  const [takedowns, setTakedowns] = useState(first.takedowns);
  const [next, setNext] = useState(first.next);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const address = `/api/v1/affiliates/${affiliateId}/takedowns`;

  async function loadMore(): Promise<void> {
    setLoading(true);
    setFailure(null);
    const answer = await callApi<TakedownsPage>('GET', `${address}?state=${state}&after=${next}`);
    setLoading(false);
    if (!answer.ok) return setFailure(answer.error);
    setTakedowns((known) => [...known, ...answer.data.takedowns]);
    setNext(answer.data.next);
  }

  /** Hiding and deleting answer all who asked for the photo. */
  function settle(decided: TakedownAnswer): void {
    const { state: outcome, photo, note, decided_at, decided_by } = decided;
    setTakedowns((known) =>
      known.map((each) =>
        each.id === decided.id || (outcome !== 'kept' && each.photo.id === photo.id && each.state === 'open')
          ? { ...each, state: outcome, photo, note, decided_at, decided_by }
          : each,
      ),
    );
    setDeciding(null);
    onDecided();
  }

  if (takedowns.length === 0) return <Nothing state={state} />;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <ul aria-label={state === 'open' ? 'Open requests' : 'Decided requests'} className="flex flex-col gap-5">
        {takedowns.map((takedown) => (
          <li key={takedown.id}>
            <TakedownCard
              takedown={takedown}
              timeZone={timeZone}
              namesAffiliate={namesAffiliate}
              onDecide={(decision) => setDeciding({ takedown, decision })}
            />
          </li>
        ))}
      </ul>
      <ShowMore failure={failure} hasMore={next !== null} isLoading={isLoading} onMore={loadMore} />
      <DecideDialog
        key={deciding ? `${deciding.takedown.id} ${deciding.decision}` : 'none'}
        deciding={deciding}
        address={address}
        onClose={() => setDeciding(null)}
        onDecided={settle}
      />
    </div>
  );
}

function Nothing({ state }: { state: 'open' | 'decided' }) {
  return (
    <EmptyState icon={<EyeOff />} title={state === 'open' ? 'No open requests' : 'No decisions yet'}>
      {state === 'open'
        ? 'Anyone who sees a photo can ask you to hide it. The request appears here, and you get an email.'
        : 'Requests that you have answered are listed here.'}
    </EmptyState>
  );
}

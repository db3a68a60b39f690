import { useState, type ReactNode } from 'react';
import { RetryOrDiscardDialog, type RetryOrDiscard } from '#src/features/health/ui/retry-or-discard.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { OlderLinks } from '#src/ui/paging.tsx';

type What = RetryOrDiscard['what'];

type FailedListProps = {
  /** "jobs" */
  things: string;
  intro: string;
  /** Shown beside the buttons for all. */
  filter?: ReactNode;
  /** Whether any have failed: otherwise there is nothing to filter or do. */
  hasSome: boolean;
  /** Whether the filter matches any. */
  hasChosen: boolean;
  actionOnAll: (what: What) => RetryOrDiscard;
  rows: (onAsk: (action: RetryOrDiscard) => void) => readonly ReactNode[];
  /** Shown when the first page is empty. */
  whenNone: string;
  paging: { kept: string; after: string | number | null; next: string | number | null };
  onDone: () => void;
};

/** Failed things, with buttons for each and for all. */
export function FailedList(props: FailedListProps) {
  const { things, intro, filter, hasSome, hasChosen, actionOnAll, whenNone, paging, onDone } = props;
  const [action, setAction] = useState<RetryOrDiscard | null>(null);
  const rows = props.rows(setAction);
  return (
    <div className="flex flex-col gap-5">
      <p className="max-w-prose text-sm text-quiet">{intro}</p>
      {hasSome && (
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
          {filter}
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" disabled={!hasChosen} onClick={() => setAction(actionOnAll('retry'))}>
              Retry all…
            </Button>
            <Button variant="secondary" disabled={!hasChosen} onClick={() => setAction(actionOnAll('discard'))}>
              Discard all…
            </Button>
          </div>
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title={`No failed ${things}`}>
          {paging.after === null ? whenNone : 'There are no older ones.'}
        </EmptyState>
      ) : (
        <ul aria-label={`Failed ${things}`} className="rounded-lg border border-line bg-surface text-sm">
          {rows}
        </ul>
      )}
      <OlderLinks label={`Pages of failed ${things}`} {...paging} />
      {action && (
        <RetryOrDiscardDialog
          action={action}
          onClose={() => setAction(null)}
          onDone={() => {
            setAction(null);
            onDone();
          }}
        />
      )}
    </div>
  );
}

type FailedRowProps = {
  /** Read by screen readers with each button. */
  name: string;
  isRetried: boolean;
  onAsk: (what: What) => void;
  children: ReactNode;
};

/** One of them, with its buttons. */
export function FailedRow({ name, isRetried, onAsk, children }: FailedRowProps) {
  return (
    <li className="grid gap-x-6 gap-y-2 border-line px-4 py-3 not-first:border-t lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="flex min-w-0 flex-col gap-1">{children}</div>
      <div className="flex flex-wrap gap-3">
        {isRetried && (
          <Button size="small" variant="secondary" onClick={() => onAsk('retry')}>
            Retry…<span className="sr-only"> {name}</span>
          </Button>
        )}
        <Button size="small" variant="secondary" onClick={() => onAsk('discard')}>
          Discard…<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  );
}

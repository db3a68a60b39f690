import type { FailedEmail } from '#src/features/health/health.contract.ts';
import type { FailedEmails } from '#src/features/health/health.service.ts';
import { FailedList, FailedRow } from '#src/features/health/ui/failed-list.tsx';
import type { RetryOrDiscard } from '#src/features/health/ui/retry-or-discard.tsx';
import { counted, formatCount } from '#src/shared/counted.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { Badge } from '#src/ui/badge.tsx';

type FailedEmailListProps = { failed: FailedEmails; after: number | null; onDone: () => void };

/** Emails whose last attempt failed: why, when the next attempt is, and buttons to retry or discard them. */
export function FailedEmailList({ failed, after, onDone }: FailedEmailListProps) {
  const { emails, counts } = failed;
  const action = (what: RetryOrDiscard['what'], one?: FailedEmail): RetryOrDiscard => ({
    what,
    things: 'failed_emails',
    name: one ? `“${one.subject}”` : counts.emails === 1 ? 'this email' : `all ${formatCount(counts.emails)} emails`,
    body: one ? { ids: [one.id] } : { all: true },
  });
  return (
    <FailedList
      things="emails"
      intro="An email that fails is retried automatically for four days. Addresses are shown in part."
      hasSome={counts.emails > 0}
      hasChosen={counts.emails > 0}
      actionOnAll={(what) => action(what)}
      rows={(onAsk) => emails.map((one) => <Row key={one.id} email={one} onAsk={(what) => onAsk(action(what, one))} />)}
      whenNone="Every email was sent or is waiting."
      paging={{ kept: 'view=emails&', after, next: failed.next }}
      onDone={onDone}
    />
  );
}

function Row({ email, onAsk }: { email: FailedEmail; onAsk: (what: RetryOrDiscard['what']) => void }) {
  const { subject, recipient, reason, attempts } = email;
  return (
    <FailedRow name={subject} isRetried onAsk={onAsk}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-sm font-semibold break-words">{subject}</h2>
        {email.next_at === null ? <Badge tone="danger">Given up</Badge> : <Badge tone="warning">Retrying</Badge>}
      </div>
      <p className="break-words text-quiet">To {recipient}</p>
      <p className="break-words">{reason}</p>
      <p className="text-xs break-words text-quiet tabular-nums">
        Written {publicMoment(new Date(email.written_at))}, failed {publicMoment(new Date(email.failed_at))} after{' '}
        {counted(attempts, 'attempt', 'attempts')}
        {email.next_at !== null && `, next attempt ${publicMoment(new Date(email.next_at))}`}
      </p>
    </FailedRow>
  );
}

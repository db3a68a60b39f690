import { counted } from '#src/shared/counted.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, type InputOf } from '#src/web/api-client.ts';

/** The action to confirm, and on what. */
export type RetryOrDiscard = {
  what: 'retry' | 'discard';
  /** "this job", "3 jobs". */
  name: string;
} & (
  | { things: 'failed_jobs'; body: InputOf<'POST /api/v1/failed_jobs/retry'>['body'] }
  | { things: 'failed_emails'; body: InputOf<'POST /api/v1/failed_emails/retry'>['body'] }
);

function send(action: RetryOrDiscard) {
  return action.things === 'failed_jobs'
    ? api(`POST /api/v1/failed_jobs/${action.what}`, { body: action.body })
    : api(`POST /api/v1/failed_emails/${action.what}`, { body: action.body });
}

const WORDS = {
  retry: { label: 'Retry', busy: 'Retrying...' },
  discard: { label: 'Discard', busy: 'Discarding...' },
};
const SENTENCES = {
  failed_jobs: {
    retry: 'Work that is already done is recognized and not done twice.',
    discard: 'The work is not done. This cannot be undone.',
  },
  failed_emails: {
    retry: 'The mail server gets another attempt within seconds.',
    discard: 'Nothing is sent, and the text is erased. This cannot be undone.',
  },
};

type RetryOrDiscardDialogProps = { action: RetryOrDiscard; onClose: () => void; onDone: () => void };

/** Asks for confirmation; sends once, however often the button is pressed. */
export function RetryOrDiscardDialog({ action, onClose, onDone }: RetryOrDiscardDialogProps) {
  const { what, things, name } = action;
  const { label, busy } = WORDS[what];
  return (
    <ConfirmCall
      title={`${label} ${name}?`}
      confirmLabel={label}
      busy={busy}
      call={() => send(action)}
      onDone={({ count }) => {
        showToast(doneWords(action, count), count === 0 ? 'info' : 'success');
        onDone();
      }}
      onCancel={onClose}
    >
      {SENTENCES[things][what]}
    </ConfirmCall>
  );
}

function doneWords({ what, things }: RetryOrDiscard, count: number): string {
  const [one, many] = things === 'failed_jobs' ? ['job', 'jobs'] : ['email', 'emails'];
  if (count === 0) return `No ${one} was left to ${what}.`;
  const named = counted(count, one, many);
  return what === 'retry' ? `${named} will be retried.` : `${named} discarded.`;
}

import { useState } from 'react';
import { Link } from 'react-router';
import {
  EXPLANATION_REQUIRED,
  KIND_WORDS,
  MAX_NOTE,
  type DifferenceAnswer,
  type DifferenceBody,
} from '#src/features/reconciliation/reconciliation.contract.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

const send = ({ id }: DifferenceAnswer, body: DifferenceBody) =>
  api('PUT /api/v1/reconciliation/differences/{id}', { params: { id }, body });

/** What differs, since when, who handles it, and what they found out. */
export function DifferenceCard({ difference, onChanged }: { difference: DifferenceAnswer; onChanged: () => void }) {
  const [dialog, setDialog] = useState<'note' | 'explain' | null>(null);
  const [problem, setProblem] = useState('');
  const words = KIND_WORDS[difference.kind];
  const { state, owner, mine, note } = difference;

  async function change(body: DifferenceBody): Promise<void> {
    const answer = await send(difference, body);
    setProblem(answer.ok ? '' : messagesOf(answer).join(' '));
    if (answer.ok) onChanged();
  }

  return (
    <Card className="grid gap-x-10 gap-y-4 p-4 sm:p-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-base font-semibold">{words.title}</h3>
          <Owner difference={difference} />
        </div>
        <p className="text-sm break-words">
          <Subject difference={difference} />
          {difference.organization !== null && <span className="text-quiet"> · {difference.organization}</span>}
        </p>
        <p className="text-sm text-quiet">{words.sentence}</p>
        {note !== '' && (
          <blockquote className="border-l-2 border-accent-text pl-3.5 text-sm break-words whitespace-pre-line">
            {note}
          </blockquote>
        )}
        {state !== 'closed' && (
          <div className="mt-1 flex flex-wrap gap-3">
            {state === 'open' && !mine && (
              <Button size="small" onClick={() => void change({ mine: true })}>
                {owner === null ? 'Take' : 'Take over'}
              </Button>
            )}
            <Button size="small" variant="secondary" onClick={() => setDialog('note')}>
              Note…
            </Button>
            {state === 'open' ? (
              <Button size="small" variant="secondary" onClick={() => setDialog('explain')}>
                Close as explained…
              </Button>
            ) : (
              <Button size="small" variant="secondary" onClick={() => void change({ state: 'open' })}>
                Open again
              </Button>
            )}
          </div>
        )}
        <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
          {problem}
        </p>
      </div>
      <Facts difference={difference} />
      {dialog && (
        <NoteDialog
          difference={difference}
          isExplaining={dialog === 'explain'}
          onClose={() => setDialog(null)}
          onSaved={() => {
            setDialog(null);
            onChanged();
          }}
        />
      )}
    </Card>
  );
}

function Owner({ difference: { state, owner, mine } }: { difference: DifferenceAnswer }) {
  if (state === 'closed') return <Badge tone="success">The books agree again</Badge>;
  if (state === 'explained') return <Badge>Explained{owner === null ? '' : ` by ${owner}`}</Badge>;
  if (owner === null) return <Badge tone="warning">Not assigned</Badge>;
  return <Badge tone="accent">{mine ? 'Yours' : owner}</Badge>;
}

function Subject({ difference: { subject, order_id: orderId } }: { difference: DifferenceAnswer }) {
  if (orderId === null) return <>{subject}</>;
  return (
    <Link
      to={`/admin/refunds?search=${orderId}`}
      className="inline-flex items-center underline pointer-coarse:min-h-11 decoration-line-strong underline-offset-4 hover:decoration-ink"
    >
      {subject}
    </Link>
  );
}

function Facts({ difference }: { difference: DifferenceAnswer }) {
  const isRule = difference.kind === 'broken_rule';
  const rows = [
    ...(isRule
      ? [{ name: 'Rule', value: difference.theirs }]
      : [
          { name: 'Our books', value: difference.ours },
          { name: difference.kind === 'report_differs' ? 'Ledger' : 'Provider’s books', value: difference.theirs },
        ]),
    ...(difference.difference === null ? [] : [{ name: 'Difference', value: dollarText(difference.difference) }]),
    { name: 'First seen', value: publicMoment(new Date(difference.first_seen_at)) },
    { name: 'Last seen', value: publicMoment(new Date(difference.last_seen_at)) },
    ...(difference.closed_at === null ? [] : [{ name: 'Closed', value: publicMoment(new Date(difference.closed_at)) }]),
  ];
  return (
    <dl className="flex min-w-0 flex-col gap-1.5 self-start text-sm tabular-nums lg:border-l lg:border-line lg:pl-10">
      {rows.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-quiet">{name}</dt>
          <dd className="ml-auto min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type NoteDialogProps = {
  difference: DifferenceAnswer;
  isExplaining: boolean;
  onClose: () => void;
  onSaved: () => void;
};

function NoteDialog({ difference, isExplaining, onClose, onSaved }: NoteDialogProps) {
  const form = useForm({ note: difference.note }, ({ note }) =>
    isExplaining && note.trim() === '' ? { note: [EXPLANATION_REQUIRED] } : {},
  );

  async function save(): Promise<void> {
    const saved = await form.send(({ note }) =>
      send(difference, isExplaining ? { note, state: 'explained' } : { note }),
    );
    if (saved) onSaved();
  }

  return (
    <FormDialog
      title={isExplaining ? 'Explain the difference' : 'Note'}
      action={{ label: isExplaining ? 'Close as explained' : 'Save note', busy: 'Saving...' }}
      isSending={form.isSending}
      problem={form.errors['form']}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextArea
        label={isExplaining ? 'Explanation' : 'What you found out'}
        hint={isExplaining ? 'It stays explained until the books agree again.' : 'Visible to all platform admins.'}
        data-autofocus=""
        maxLength={MAX_NOTE}
        {...form.field('note')}
      />
    </FormDialog>
  );
}

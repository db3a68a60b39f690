import { useState } from 'react';
import { MAX_NOTE, type Decision, type TakedownAnswer } from '#src/features/takedowns/takedowns.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';

export type Deciding = { takedown: TakedownAnswer; decision: Decision };

const WORDS: Record<Decision, { title: string; sentence: string; action: string; busy: string }> = {
  hide: {
    title: 'Hide this photo?',
    sentence: 'Only you can see it now. It stays in your gallery and can’t be shown again.',
    action: 'Hide photo',
    busy: 'Hiding...',
  },
  keep: {
    title: 'Keep this photo?',
    sentence: 'The photo is shown in the gallery.',
    action: 'Keep photo',
    busy: 'Keeping...',
  },
  delete: {
    title: 'Delete this photo?',
    sentence: 'The photo is permanently removed from the gallery. This cannot be undone.',
    action: 'Delete photo',
    busy: 'Deleting...',
  },
};

type DecideDialogProps = {
  deciding: Deciding | null;
  /** Of the list's call. */
  address: string;
  onClose: () => void;
  onDecided: (decided: TakedownAnswer) => void;
};

/** Asks again, and for a word to the person who asked. */
export function DecideDialog({ deciding, address, onClose, onDecided }: DecideDialogProps) {
  const [note, setNote] = useState('');
  const [isSending, setSending] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  if (!deciding) return null;
  const { takedown, decision } = deciding;
  const words = WORDS[decision];

  async function decide(): Promise<void> {
    setSending(true);
    setProblems([]);
    const answer = await callApi<TakedownAnswer>('PUT', `${address}/${takedown.id}`, { body: { decision, note } });
    setSending(false);
    if (answer.ok) onDecided(answer.data);
    else setProblems(messagesOf(answer));
  }

  return (
    <Dialog
      open
      role="alertdialog"
      title={words.title}
      onClose={() => !isSending && onClose()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button
            variant={decision === 'delete' ? 'danger' : 'primary'}
            onClick={decide}
            busy={isSending && words.busy}
          >
            {words.action}
          </Button>
        </>
      }
    >
      <p className="text-quiet">
        {words.sentence} {takedown.contact !== null && `${takedown.contact} gets your answer by email.`}
      </p>
      <div className="mt-4">
        <TextArea
          label="A note to the person who asked"
          hint="Optional. It is included in the email."
          maxLength={MAX_NOTE}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <p role="alert" className="mt-3 text-sm font-semibold text-danger empty:hidden">
        {problems.join(' ')}
      </p>
    </Dialog>
  );
}

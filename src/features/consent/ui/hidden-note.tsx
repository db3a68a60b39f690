/** In the panel of one photo: why it is hidden, and how to show it as an exception with a reason, or hide it again. */
import { useState } from 'react';
import * as words from '#src/features/consent/consent.contract.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import { Button } from '#src/ui/button.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { showToast } from '#src/ui/toast.ts';

type NoteProps = {
  photo: PhotoFact;
  /** Called when it is shown as an exception, or no longer. */
  onChanged: () => void;
};

/** `text`: the text of the photo's badge. */
export function HiddenNote({ photo, text, onChanged }: NoteProps & { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const causes = photo.hidden_by ?? [];
  // With no cause, the note is about an exception.
  if (causes.length === 0) return <ExceptionMade photo={photo} onChanged={onChanged} />;
  return (
    <Notice tone="warning">
      <p>{text}</p>
      {causes.includes('consent') && (
        <Button variant="secondary" size="small" className="mt-2" onClick={() => setOpen(true)}>
          {words.SHOW_NEVERTHELESS}
        </Button>
      )}
      {isOpen && <ReasonDialog photo={photo} onClose={() => setOpen(false)} onChanged={onChanged} />}
    </Notice>
  );
}

const exceptionOf = (photo: PhotoFact) => ({ params: { id: photo.gallery_id, photoId: photo.id } });

function ExceptionMade({ photo, onChanged }: NoteProps) {
  const [isSending, setSending] = useState(false);
  async function hide(): Promise<void> {
    setSending(true);
    const answer = await api('DELETE /api/v1/galleries/{id}/gallery_photos/{photoId}/exception', exceptionOf(photo));
    setSending(false);
    if (answer.ok) onChanged();
    else showToast(answer.error, 'error');
  }
  return (
    <Notice tone="success">
      <p>{words.SHOWN_NEVERTHELESS}</p>
      <Button
        variant="secondary"
        size="small"
        className="mt-2"
        busy={isSending && 'Hiding...'}
        onClick={() => void hide()}
      >
        {words.HIDE_AGAIN}
      </Button>
    </Notice>
  );
}

function ReasonDialog({ photo, onClose, onChanged }: NoteProps & { onClose: () => void }) {
  const { errors, isSending, field, send } = useForm({ reason: '' }, ({ reason }) =>
    reason.trim().length < words.MIN_REASON ? { reason: [words.REASON_TOO_SHORT] } : {},
  );

  async function showIt(): Promise<void> {
    const answer = await send((body) =>
      api('PUT /api/v1/galleries/{id}/gallery_photos/{photoId}/exception', {
        ...exceptionOf(photo),
        body,
      }),
    );
    if (!answer) return;
    onClose();
    onChanged();
  }

  return (
    <FormDialog
      role="alertdialog"
      title="Show this photo?"
      action={{ label: words.SHOW_NEVERTHELESS, busy: 'Showing...' }}
      isSending={isSending}
      onSubmit={() => void showIt()}
      onClose={onClose}
      problem={errors['form']}
    >
      <p className="text-quiet">{words.SHOW_QUESTION}</p>
      <TextArea
        label="Why"
        hint="For example: Maya is seen from behind."
        maxLength={words.MAX_REASON}
        {...field('reason')}
      />
    </FormDialog>
  );
}

/** In the panel of one photo: why it is hidden, and showing it nevertheless with a reason. */
import { useState } from 'react';
import * as words from '#src/features/consent/consent.contract.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import { Button } from '#src/ui/button.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { Notice } from '#src/ui/notice.tsx';

type NoteProps = { photo: PhotoFact; onShown: () => void };

export function ExceptionNote({ photo, onShown }: NoteProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Notice tone="warning">
      <p>{words.HIDDEN_CONSENT}</p>
      <Button variant="secondary" size="small" className="mt-2" onClick={() => setOpen(true)}>
        {words.SHOW_NEVERTHELESS}
      </Button>
      {isOpen && <ReasonDialog photo={photo} onClose={() => setOpen(false)} onShown={onShown} />}
    </Notice>
  );
}

function ReasonDialog({ photo, onClose, onShown }: NoteProps & { onClose: () => void }) {
  const { errors, isSending, field, send } = useForm({ reason: '' }, ({ reason }) =>
    reason.trim().length < words.MIN_REASON ? { reason: [words.REASON_TOO_SHORT] } : {},
  );

  async function showIt(): Promise<void> {
    const answer = await send((body) =>
      api('PUT /api/v1/galleries/{id}/gallery_photos/{photoId}/exception', {
        params: { id: photo.gallery_id, photoId: photo.id },
        body,
      }),
    );
    if (!answer) return;
    onClose();
    onShown();
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

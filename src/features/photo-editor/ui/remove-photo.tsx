import { useState } from 'react';
import { removePhoto } from '#src/features/photo-editor/change-photo.client.ts';
import { REMOVE_PHOTO_QUESTION, REMOVE_PHOTO_TITLE, type PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';

/** Asks in the specification's words and names the photo; buyers keep their downloads. */
export function RemovePhoto({
  photo,
  onClose,
  onRemoved,
}: {
  photo: Pick<PhotoAnswer, 'id' | 'gallery_id' | 'name'> | null;
  onClose: () => void;
  onRemoved: (id: number) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function remove(): Promise<void> {
    if (!photo) return;
    setBusy(true);
    setProblem(null);
    const answer = await removePhoto(photo);
    setBusy(false);
    // Someone else may have removed it meanwhile.
    if (answer.ok || answer.status === 404) onRemoved(photo.id);
    else setProblem(answer.error);
  }

  return (
    <ConfirmDialog
      open={photo !== null}
      title={REMOVE_PHOTO_TITLE}
      confirmLabel="Remove photo"
      busy={isBusy ? 'Removing...' : false}
      problem={problem}
      onConfirm={() => void remove()}
      onCancel={() => {
        setProblem(null);
        onClose();
      }}
    >
      <p>{REMOVE_PHOTO_QUESTION}</p>
      <p className="mt-2 truncate text-sm font-semibold text-ink">{photo?.name}</p>
    </ConfirmDialog>
  );
}

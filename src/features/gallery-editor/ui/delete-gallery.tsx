import { useState } from 'react';
import { DELETE_GALLERY_QUESTION } from '#src/features/galleries/galleries.contract.ts';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';

type DeleteGalleryProps = {
  /** Null: nothing to delete. */
  gallery: { id: number; name: string } | null;
  onClose: () => void;
  onDeleted: (id: number) => void;
};

/** Deletes after a confirmation; buyers keep their downloads. */
export function DeleteGallery({ gallery, onClose, onDeleted }: DeleteGalleryProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  function close(): void {
    setProblem(null);
    onClose();
  }

  async function remove(): Promise<void> {
    if (!gallery) return;
    setBusy(true);
    setProblem(null);
    const answer = await api('POST /api/v1/galleries/{id}/inactive', { params: { id: gallery.id } });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.error);
    showToast(`“${gallery.name}” is deleted.`, 'success');
    onDeleted(gallery.id);
  }

  return (
    <ConfirmDialog
      open={gallery !== null}
      title={`Delete “${gallery?.name ?? ''}”?`}
      confirmLabel="Delete gallery"
      busy={isBusy ? 'Deleting...' : false}
      problem={problem}
      onConfirm={() => void remove()}
      onCancel={close}
    >
      <p>{DELETE_GALLERY_QUESTION}</p>
      <p className="mt-2 text-sm">People who bought photos keep their downloads.</p>
    </ConfirmDialog>
  );
}

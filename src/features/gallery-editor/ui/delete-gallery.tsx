import { DELETE_GALLERY_QUESTION } from '#src/features/galleries/galleries.contract.ts';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';

type DeleteGalleryProps = {
  /** Null: nothing to delete. */
  gallery: { id: number; name: string } | null;
  onClose: () => void;
  onDeleted: (id: number) => void;
};

/** Deletes after a confirmation; buyers keep their downloads. */
export function DeleteGallery({ gallery, onClose, onDeleted }: DeleteGalleryProps) {
  if (!gallery) return null;
  const { id, name } = gallery;
  return (
    <ConfirmCall
      title={`Delete “${name}”?`}
      confirmLabel="Delete gallery"
      busy="Deleting..."
      call={() => api('POST /api/v1/galleries/{id}/inactive', { params: { id } })}
      onDone={() => {
        showToast(`“${name}” is deleted.`, 'success');
        onDeleted(id);
      }}
      onCancel={onClose}
    >
      <p>{DELETE_GALLERY_QUESTION}</p>
      <p className="mt-2 text-sm">People who bought photos keep their downloads.</p>
    </ConfirmCall>
  );
}

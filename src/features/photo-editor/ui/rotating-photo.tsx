import { useEffect, useEffectEvent, useRef } from 'react';
import { rotatePhoto } from '#src/features/photo-editor/change-photo.client.ts';
import { ROTATE_MODAL_MS, type PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { ROTATE_FAILED } from '#src/features/pictures/pictures.contract.ts';
import { Dialog } from '#src/ui/dialog.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { showToast } from '#src/ui/toast.ts';

/** Turns a photo clockwise. Blocks until other pixels are behind its address, four seconds at most (specification A§4, rule 30). */
export function RotatingPhoto({
  photo,
  latest,
  onTurned,
  onOver,
}: {
  photo: PhotoFact;
  /** The photo as the page knows it by now. */
  latest: PhotoFact | undefined;
  onTurned: (answer: PhotoFact) => void;
  onOver: () => void;
}) {
  const isAsked = useRef(false);
  const over = useEffectEvent(onOver);
  const turn = useEffectEvent(async () => {
    const answer = await rotatePhoto(photo);
    if (answer.ok) return onTurned(answer.data);
    showToast(ROTATE_FAILED, 'error');
    onOver();
  });
  useEffect(() => {
    // Effects run twice while developing; the photo turns once.
    if (!isAsked.current) void turn();
    isAsked.current = true;
    const timer = setTimeout(() => over(), ROTATE_MODAL_MS);
    return () => clearTimeout(timer);
  }, []);
  const isTurned = latest !== undefined && latest.image_url !== photo.image_url;
  useEffect(() => {
    if (isTurned) over();
  }, [isTurned]);
  return (
    <Dialog open role="alertdialog" title="Rotating" onClose={() => undefined}>
      <p role="status" className="flex items-center gap-3 pb-3 text-quiet">
        <Spinner />
        {photo.name}
      </p>
    </Dialog>
  );
}

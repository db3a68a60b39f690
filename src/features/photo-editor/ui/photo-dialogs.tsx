import { useState, useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { changePhoto, removePhoto, rotatePhoto } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { ROTATE_MODAL_MS } from '#src/features/photo-editor/photo-editor.contract.ts';
import {
  HIDDEN_PHOTO_CANNOT_BE_FEATURED,
  REMOVE_PHOTO_QUESTION,
  REMOVE_PHOTO_TITLE,
  type PhotoChanges,
  type PhotoAnswer,
} from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { Dialog } from '#src/ui/dialog.tsx';
import { Eye, EyeOff, Pencil, RotateCw, Star, Trash } from '#src/ui/icon.tsx';
import { showToast } from '#src/ui/toast.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { ROTATE_FAILED } from '#src/features/pictures/pictures.contract.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type TileMenuProps = {
  fact: PhotoFact;
  onClose: () => void;
  onOpen: (fact: PhotoFact) => void;
  onRotate: (fact: PhotoFact) => void;
  onRemove: (fact: PhotoFact) => void;
  onChanged: (fact: PhotoFact, answer: PhotoFact, changes: PhotoChanges) => void;
};

/** Actions for a photo whose tile has no space for buttons. */
export function TileMenu({ fact, onClose, onOpen, onRotate, onRemove, onChanged }: TileMenuProps) {
  const [isBusy, setBusy] = useState(false);
  const { show_in_gallery: isShown, featured } = fact;

  async function update(changes: PhotoChanges): Promise<void> {
    setBusy(true);
    const answer = await changePhoto(fact, changes);
    onClose();
    if (answer.ok) onChanged(fact, answer.data, changes);
    else showToast(answer.error, 'error');
  }
  const then = (work: (fact: PhotoFact) => void) => () => {
    onClose();
    work(fact);
  };
  const canFeature = isShown || featured;

  return (
    <Dialog open onClose={onClose} title={altOf(fact.name, [])}>
      <ul className="-mx-2 flex flex-col pb-2">
        <Item icon={<Pencil />} label="Edit" isBusy={isBusy} onClick={then(onOpen)} />
        <Item
          icon={isShown ? <EyeOff /> : <Eye />}
          label={isShown ? 'Hide' : 'Show in the gallery'}
          isBusy={isBusy}
          onClick={() => void update({ show_in_gallery: !isShown })}
        />
        <Item
          icon={<Star />}
          label={featured ? 'Stop featuring' : 'Feature'}
          isBusy={isBusy}
          onClick={() => {
            if (canFeature) return void update({ featured: !featured });
            onClose();
            showToast(HIDDEN_PHOTO_CANNOT_BE_FEATURED, 'info');
          }}
        />
        <Item icon={<RotateCw />} label="Rotate" isBusy={isBusy} onClick={then(onRotate)} />
        <Item icon={<Trash />} label="Remove" isBusy={isBusy} isDanger onClick={then(onRemove)} />
      </ul>
    </Dialog>
  );
}

type ItemProps = { icon: ReactNode; label: string; isBusy: boolean; isDanger?: boolean; onClick: () => void };

function Item({ icon, label, isBusy, isDanger = false, onClick }: ItemProps) {
  return (
    <li>
      <button
        type="button"
        disabled={isBusy}
        onClick={onClick}
        data-danger={isDanger || undefined}
        className="flex min-h-12 w-full items-center gap-3 rounded px-3 text-left font-semibold hover:bg-sunken disabled:opacity-60 data-danger:text-danger [&_svg]:size-5"
      >
        <span aria-hidden="true" className="contents">
          {icon}
        </span>
        {label}
      </button>
    </li>
  );
}

type RemovePhotoProps = {
  photo: Pick<PhotoAnswer, 'id' | 'gallery_id' | 'name'> | null;
  onClose: () => void;
  onRemoved: (id: number) => void;
};

/** Asks in the specification's words and names the photo; buyers keep their downloads. */
export function RemovePhoto({ photo, onClose, onRemoved }: RemovePhotoProps) {
  if (photo === null) return null;
  return (
    <ConfirmCall
      title={REMOVE_PHOTO_TITLE}
      confirmLabel="Remove photo"
      busy="Removing..."
      call={() => removePhoto(photo)}
      onDone={() => onRemoved(photo.id)}
      // Someone else may have removed it meanwhile.
      onRefused={({ status }) => status === 404 && onRemoved(photo.id)}
      onCancel={onClose}
    >
      <p>{REMOVE_PHOTO_QUESTION}</p>
      <p className="mt-2 truncate text-sm font-semibold text-ink">{photo.name}</p>
    </ConfirmCall>
  );
}

type RotatingPhotoProps = {
  photo: PhotoFact;
  /** The photo as the page knows it now. */
  latest: PhotoFact | undefined;
  onTurned: (answer: PhotoFact) => void;
  onOver: () => void;
};

/** Rotates a photo clockwise. Blocks until its picture has changed, four seconds at most (specification A§4, rule 30). */
export function RotatingPhoto({ photo, latest, onTurned, onOver }: RotatingPhotoProps) {
  const isAsked = useRef(false);
  const over = useEffectEvent(onOver);
  const turn = useEffectEvent(async () => {
    const answer = await rotatePhoto(photo);
    if (answer.ok) return onTurned(answer.data);
    showToast(ROTATE_FAILED, 'error');
    onOver();
  });
  useEffect(() => {
    // In development effects run twice; the photo is rotated once.
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

import { useState, type ReactNode } from 'react';
import { changePhoto } from '#src/features/photo-editor/change-photo.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { HIDDEN_PHOTO_CANNOT_BE_FEATURED, type PhotoChanges } from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { Dialog } from '#src/ui/dialog.tsx';
import { Eye, EyeOff, Pencil, RotateCw, Star, Trash } from '#src/ui/icon.tsx';
import { showToast } from '#src/ui/toast.ts';

type TileMenuProps = {
  fact: PhotoFact;
  onClose: () => void;
  onOpen: (fact: PhotoFact) => void;
  onRotate: (fact: PhotoFact) => void;
  onRemove: (fact: PhotoFact) => void;
  onChanged: (fact: PhotoFact, answer: PhotoFact, changes: PhotoChanges) => void;
};

/** What can be done with a photo whose tile has no space for buttons. */
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

/** On the tagging desk: how many photos are held, updated with the tags. */
import { useState } from 'react';
import { useHold } from '#src/features/consent/hold.client.ts';
import { NoneButton } from '#src/features/consent/ui/hold-banner.tsx';
import { heldPhotos } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown } from '#src/ui/icon.tsx';

type HoldLineProps = {
  galleryId: number;
  /** Unsaved tags: when the last one is saved, the line is reloaded. */
  waiting: number;
  /** Photos are shown now. */
  onReleased: () => void;
};

/** On a phone the line is collapsed, to leave space for the photo. */
export function HoldLine({ galleryId, waiting, onReleased }: HoldLineProps) {
  const { hold, reload } = useHold(galleryId, waiting === 0);
  const [isOpen, setOpen] = useState(false);
  const release = () => {
    reload();
    onReleased();
  };
  return (
    <div role="status">
      {hold?.text && (
        <div className="rounded bg-warning-tint px-3 text-sm text-warning md:py-2">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-11 w-full items-center justify-between gap-2 text-left md:hidden"
          >
            {heldPhotos(hold.photos)}
            <ChevronDown aria-hidden="true" className={cx('size-4 shrink-0', isOpen && 'rotate-180')} />
          </button>
          <div className={cx('flex flex-wrap items-center gap-x-4 gap-y-2 max-md:pb-3', !isOpen && 'max-md:hidden')}>
            <p className="min-w-0 flex-1 basis-64 text-pretty">{hold.text}</p>
            <NoneButton galleryId={galleryId} hold={hold} onReleased={release} />
          </div>
        </div>
      )}
    </div>
  );
}

import { useId, useRef, useState, useEffect, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { useFileDrop, type Chosen } from '#src/features/uploads/chosen-files.client.ts';
import { leftOut, photosLeftWords } from '#src/features/uploads/upload-tray.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Camera, ImagePlus } from '#src/ui/icon.tsx';
import { useRevalidator } from 'react-router';
import { LimitReached } from '#src/features/billing/ui/limit-reached.tsx';
import { FREE_PHOTOS_PER_GALLERY } from '#src/features/tenancy/plans.rules.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { uploadQueue } from '#src/features/uploads/uploads.client.ts';

type UploadZoneProps = {
  onChosen: (chosen: Chosen) => void;
  /** Large if the page has nothing else to show. */
  isLarge: boolean;
  /** A page with several zones: each accepts only drops onto itself. */
  isOneOfMany?: boolean;
  /** How many photos fit, shown before any are chosen. */
  space?: string | null;
};

/** Accepts photos by drag and drop, anywhere in the window, by the file picker, or on phones by the camera. */
export function UploadZone({ onChosen, isLarge, isOneOfMany = false, space = null }: UploadZoneProps) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const hint = useId();
  const [ignored, setIgnored] = useState(0);
  const over = useFileDrop(({ ignored: count, ...chosen }) => {
    setIgnored(count);
    if (chosen.files.length + chosen.folders.length > 0) onChosen(chosen);
  }, zone);
  const picked = (files: File[]) => {
    setIgnored(0);
    if (files.length > 0) onChosen({ files, folders: [] });
  };
  return (
    <div
      ref={zone}
      className={cx(
        'flex flex-wrap items-center gap-x-5 gap-y-3 rounded-lg border-2 border-dashed p-4 transition-colors',
        isLarge ? 'flex-col justify-center px-5 py-12 text-center' : 'pointer-coarse:border-0 pointer-coarse:p-0',
        over ? 'border-accent-text bg-accent-tint' : 'border-line-strong',
      )}
    >
      <div className={cx('flex flex-wrap gap-3', isLarge && 'justify-center')}>
        <Button
          onClick={() => picker.current?.click()}
          aria-describedby={hint}
          variant={isLarge ? 'primary' : 'secondary'}
        >
          <ImagePlus aria-hidden="true" />
          Add photos
        </Button>
        <Button onClick={() => camera.current?.click()} variant="secondary" className="pointer-fine:hidden">
          <Camera aria-hidden="true" />
          Take a photo
        </Button>
      </div>
      <p id={hint} className="text-sm text-quiet">
        {over ? (
          'Drop them here.'
        ) : (
          <>
            <span className="pointer-coarse:hidden">
              {isOneOfMany ? 'Or drop them here. ' : 'Or drop them anywhere on this page. '}
            </span>
            JPEG, up to 10 MB each.
            {space !== null && (
              <>
                {' '}
                <strong className={cx('font-semibold text-ink', isLarge && 'block')}>{space}</strong>
              </>
            )}
          </>
        )}
      </p>
      <p role="status" className={ignored === 0 ? 'sr-only' : 'w-full text-sm text-quiet'}>
        {ignored > 0 && leftOut(ignored)}
      </p>
      {over === 'page' && createPortal(<PageOverlay />, document.body)}
      <HiddenInput inputRef={picker} label="Photos to upload" onPicked={picked} />
      <HiddenInput inputRef={camera} label="Photo from the camera" isCamera onPicked={picked} />
    </div>
  );
}

/** While the zone is hidden (its area is closed) the whole page shows that it accepts files. */
function PageOverlay() {
  return (
    <div className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-lg border-2 border-dashed border-accent-text bg-accent-tint/90">
      <p className="flex items-center gap-3 text-lg font-bold text-accent-text">
        <ImagePlus aria-hidden="true" className="size-7" />
        Drop your photos to add them.
      </p>
    </div>
  );
}

type HiddenInputProps = {
  inputRef: RefObject<HTMLInputElement | null>;
  label: string;
  isCamera?: boolean;
  onPicked: (files: File[]) => void;
};

function HiddenInput({ inputRef, label, isCamera = false, onPicked }: HiddenInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      accept="image/*"
      {...(isCamera ? { capture: 'environment' } : { multiple: true })}
      hidden
      aria-label={label}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        // The same files can be chosen again.
        event.target.value = '';
        onPicked(files);
      }}
    />
  );
}

type UploadAreaProps = {
  galleryId: number;
  affiliateId: number;
  /** Where a free club can get more space, with a link back. */
  upgradePath: string;
  /** How many more photos the gallery accepts; null without a limit. */
  photosLeft: number | null;
  /** Large if the page has nothing else to show. */
  isLarge: boolean;
  /** A page has several. */
  isOneOfMany?: boolean;
  /** The gallery's editor, for the next step. */
  editorPath?: string;
};

/**
 * Accepts photos for one gallery and adds them to the window's queue, which continues on other pages. The remaining space of
 * the free tier is shown before anything is chosen; the queue counts new photos, and the server counts again.
 */
export function UploadArea(props: UploadAreaProps) {
  const { galleryId, affiliateId, upgradePath, photosLeft, isLarge, isOneOfMany = false, editorPath } = props;
  const { revalidate } = useRevalidator();
  const hasLimit = photosLeft !== null;
  // When the queue is empty (files-done) there is less space than the page knows.
  useEffect(() => (hasLimit ? uploadQueue().watchDone(() => void revalidate()) : undefined), [hasLimit, revalidate]);

  function choose(chosen: Chosen): void {
    const editor = editorPath === undefined ? {} : { editorPath };
    uploadQueue().add({ galleryId, affiliateId, upgradePath, photosLeft, ...editor, ...chosen });
  }

  if (photosLeft === 0) return <LimitReached upgradeTo={upgradePath}>{UPGRADE_FOR_MORE_PHOTOS}</LimitReached>;
  return (
    <UploadZone
      isLarge={isLarge}
      isOneOfMany={isOneOfMany}
      space={photosLeft === null ? null : photosLeftWords(photosLeft, FREE_PHOTOS_PER_GALLERY)}
      onChosen={choose}
    />
  );
}

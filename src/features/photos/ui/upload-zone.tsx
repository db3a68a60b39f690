import { useId, useRef } from 'react';
import { useFileDrop, type Chosen } from '#src/features/photos/chosen-files.client.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { ImagePlus } from '#src/ui/icon.tsx';

type UploadZoneProps = {
  onChosen: (chosen: Chosen) => void;
  /** Large where there is nothing else to look at. */
  isLarge?: boolean;
};

/** Takes photos by drag and drop, anywhere in the window, or by the file picker. */
export function UploadZone({ onChosen, isLarge = false }: UploadZoneProps) {
  const picker = useRef<HTMLInputElement>(null);
  const hint = useId();
  const isOver = useFileDrop(onChosen);
  return (
    <div
      className={cx(
        'flex flex-wrap items-center gap-x-5 gap-y-3 rounded-lg border-2 border-dashed p-4 transition-colors',
        isLarge && 'flex-col justify-center px-5 py-12 text-center',
        isOver ? 'border-accent-text bg-accent-tint' : 'border-line-strong',
      )}
    >
      <Button
        onClick={() => picker.current?.click()}
        aria-describedby={hint}
        variant={isLarge ? 'primary' : 'secondary'}
      >
        <ImagePlus aria-hidden="true" />
        Add photos
      </Button>
      <p id={hint} className="text-sm text-quiet">
        {isOver ? (
          'Drop them here.'
        ) : (
          <>
            <span className="pointer-coarse:hidden">Or drop them anywhere on this page. </span>JPEG, up to 10 MB each.
          </>
        )}
      </p>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Photos to upload"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same files can be chosen again.
          event.target.value = '';
          if (files.length > 0) onChosen({ files, folders: [] });
        }}
      />
    </div>
  );
}

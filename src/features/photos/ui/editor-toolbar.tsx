import { useId } from 'react';
import type { EditorPhotos } from '#src/features/photos/editor-photos.client.ts';
import {
  ENABLE_CUSTOM_SORT,
  PHOTO_SHOWS,
  SHOW_LABELS,
  type PhotoShow,
} from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { CONTROL } from '#src/ui/field.tsx';
import { ChevronDown } from '#src/ui/icon.tsx';
import { cx } from '#src/ui/cx.ts';

type EditorToolbarProps = {
  pages: Pick<EditorPhotos, 'show' | 'choose' | 'counts' | 'cells'>;
  isSorting: boolean;
  onSort: (isSorting: boolean) => void;
  onSelectAll: () => void;
  isSelectingAll: boolean;
};

/** Above the photos: which of them, in an order of one's own, and all at once. */
export function EditorToolbar({ pages, isSorting, onSort, onSelectAll, isSelectingAll }: EditorToolbarProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
      <span className="relative block max-sm:w-full">
        <label htmlFor={id} className="sr-only">
          Filter photos
        </label>
        <select
          id={id}
          value={pages.show}
          disabled={isSorting}
          onChange={(event) => pages.choose(event.target.value as PhotoShow)}
          className={cx(CONTROL, 'appearance-none pr-10 disabled:opacity-60')}
        >
          {PHOTO_SHOWS.map((show) => (
            <option key={show} value={show}>
              {SHOW_LABELS[show]} ({pages.counts[show].toLocaleString('en-US')})
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-3 right-3 size-5 text-quiet" />
      </span>
      <Checkbox label={ENABLE_CUSTOM_SORT} checked={isSorting} onChange={(event) => onSort(event.target.checked)} />
      {!isSorting && pages.cells.length > 0 && (
        <Button
          variant="secondary"
          size="small"
          className="ml-auto"
          busy={isSelectingAll && 'Selecting...'}
          onClick={onSelectAll}
        >
          Select all
        </Button>
      )}
    </div>
  );
}

import { useEffect, useId, useRef, useState } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { ENABLE_CUSTOM_SORT, SEE_AS_VISITOR } from '#src/features/photo-editor/photo-editor.contract.ts';
import * as words from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoShow, PhotoSort } from '#src/features/photos/photo-grid.contract.ts';
import { MAX_SEARCH_CHARACTERS } from '#src/features/photos/photos.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { ChevronDown } from '#src/ui/icon.tsx';
import { cx } from '#src/ui/cx.ts';
import { SearchField } from '#src/ui/form/search-field.tsx';

/** A search starts this long after the last key. */
const TYPED_MS = 300;

type EditorToolbarProps = {
  pages: Pick<EditorPhotos, 'view' | 'choose' | 'counts' | 'cells'>;
  isSorting: boolean;
  onSort: (isSorting: boolean) => void;
  onSelectAll: () => void;
  isSelectingAll: boolean;
  /** Null if visitors see the same as members. */
  asVisitor: boolean | null;
  onAsVisitor: (asVisitor: boolean) => void;
};

/** Above the photos: filter, order, custom sort, and selecting all. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { pages, isSorting, onSort, onSelectAll, isSelectingAll, asVisitor, onAsVisitor } = props;
  const { view, choose, counts } = pages;
  const shows = words.PHOTO_SHOWS.filter((show) => show !== 'failed' || counts.failed > 0 || view.show === 'failed');
  return (
    <div className="@container/toolbar flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <PhotoSearch keyword={view.keyword} isOff={isSorting} onSearch={choose} />
        {/* Shown even if there is nothing to select: otherwise the others would move under a finger. */}
        <Button
          variant="secondary"
          size="small"
          className="@3xl/toolbar:order-last @3xl/toolbar:ml-auto"
          busy={isSelectingAll && 'Selecting...'}
          disabled={isSorting || pages.cells.length === 0}
          onClick={onSelectAll}
        >
          Select all
        </Button>
        <PickOne
          label="Filter photos"
          isWide
          value={view.show}
          isOff={isSorting}
          onPick={(show) => choose({ show: show as PhotoShow })}
          options={shows.map((show) => [show, `${words.SHOW_LABELS[show]} (${formatCount(counts[show])})`])}
        />
        <PickOne
          label="Sort photos"
          value={view.sort}
          isOff={isSorting}
          onPick={(sort) => choose({ sort: sort as PhotoSort })}
          options={words.PHOTO_SORTS.map((sort) => [sort, words.SORT_LABELS[sort]])}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-5">
        <Checkbox label={ENABLE_CUSTOM_SORT} checked={isSorting} onChange={(event) => onSort(event.target.checked)} />
        {asVisitor !== null && (
          <Checkbox
            label={SEE_AS_VISITOR}
            checked={asVisitor}
            onChange={(event) => onAsVisitor(event.target.checked)}
          />
        )}
      </div>
    </div>
  );
}

type PhotoSearchProps = { keyword: string; isOff: boolean; onSearch: (view: { keyword: string }) => void };

function PhotoSearch({ keyword, isOff, onSearch }: PhotoSearchProps) {
  const [text, setText] = useState(keyword);
  const [sent, setSent] = useState(keyword);
  // Cleared elsewhere: by the empty list, or by custom sort.
  if (keyword !== sent) {
    setSent(keyword);
    setText(keyword);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(wanted: string): void {
    setText(wanted);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => {
        setSent(wanted.trim());
        onSearch({ keyword: wanted.trim() });
      },
      wanted === '' ? 0 : TYPED_MS,
    );
  }
  return (
    <SearchField
      label="Search photos"
      placeholder="Keyword or file name"
      maxLength={MAX_SEARCH_CHARACTERS}
      value={text}
      disabled={isOff}
      onChange={(event) => search(event.target.value)}
      onClear={() => search('')}
      className="min-w-0 max-w-none flex-1 @max-3xl/toolbar:basis-[max(11rem,100%-8rem)] @3xl/toolbar:max-w-64"
    />
  );
}

type PickOneProps = {
  label: string;
  value: string;
  isOff: boolean;
  /** Gets more of the second line if the first has no space. */
  isWide?: boolean;
  onPick: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
};

/** The name is for screen readers; the selected value says the rest. */
function PickOne({ label, value, isOff, isWide = false, onPick, options }: PickOneProps) {
  const id = useId();
  return (
    <span
      className={cx(
        'relative block min-w-0 @max-3xl/toolbar:grow',
        isWide ? '@max-3xl/toolbar:basis-[11rem]' : '@max-3xl/toolbar:basis-[9rem]',
      )}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={isOff}
        onChange={(event) => onPick(event.target.value)}
        className={cx(CONTROL, 'appearance-none pr-9 disabled:opacity-60')}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-5 text-quiet"
      />
    </span>
  );
}

import { useEffect, useEffectEvent, useMemo, useRef, type CSSProperties, type ReactNode } from 'react';
import { boxOf, UNKNOWN_RATIO, type Cell, type GridLayout } from '#src/features/photo-wall/grid-rows.rules.ts';
import { useGridLayout, useVisibleRows, useScrollAnchor } from '#src/features/photo-wall/grid.client.ts';
import { phoneShares } from '#src/ui/photos/photo-rows.ts';

/** What a tile needs to be in its position. */
export type TilePlace = {
  style: CSSProperties;
  'data-photo': number;
  'data-alone'?: true | undefined;
  'aria-setsize': number;
  'aria-posinset': number;
};

type PhotoWallProps = {
  label: string;
  cells: readonly Cell[];
  /** More than there are cells while the rest is loading. */
  total: number;
  /** Tiles that stay rendered out of view: the focused one, the one being dragged. */
  keptIds: readonly (number | null)[];
  /** Called with the photos in view. */
  onVisible: (ids: readonly number[]) => void;
  onKey: (event: KeyboardEvent, layout: GridLayout) => void;
  onFocusPhoto: (id: number) => void;
  /** Keeps the scroll position when photos are added or removed above. */
  anchorsScroll: boolean;
  /** Its first element is the list item and gets `place`. */
  children: (cell: Cell, index: number, place: TilePlace) => ReactNode;
};

/** Tiles that the server renders, until the browser has measured. */
const DRAWN_AT_FIRST = 50;

/** Thousands of photos in justified rows, of which only those around the window are rendered. */
export function PhotoWall(props: PhotoWallProps) {
  const { label, cells, total, keptIds, onVisible, onKey, onFocusPhoto, anchorsScroll, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const ratios = useMemo(() => cells.map(({ ratio }) => ratio), [cells]);
  const ids = useMemo(() => cells.map(({ id }) => id), [cells]);
  const layout = useGridLayout(list, ratios);
  const visible = useVisibleRows(list, layout);
  useScrollAnchor(list, layout, ids, anchorsScroll);

  const from = layout?.rows[visible.first]?.start ?? 0;
  const to = layout?.rows[visible.last - 1]?.end ?? 0;
  useEffect(() => onVisible(ids.slice(from, to)), [ids, from, to, onVisible]);

  const pressed = useEffectEvent((event: KeyboardEvent) => layout && onKey(event, layout));
  const focused = useEffectEvent(({ target }: FocusEvent) => {
    const tile = target instanceof Element ? target.closest<HTMLElement>('[data-photo]') : null;
    if (tile) onFocusPhoto(Number(tile.dataset['photo']));
  });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const onPressed = (event: KeyboardEvent) => void pressed(event);
    const onFocused = (event: FocusEvent) => focused(event);
    element.addEventListener('keydown', onPressed);
    element.addEventListener('focusin', onFocused);
    return () => {
      element.removeEventListener('keydown', onPressed);
      element.removeEventListener('focusin', onFocused);
    };
  }, []);

  const drawn =
    layout === null ? ids.slice(0, DRAWN_AT_FIRST).map((_, index) => index) : indexesDrawn(ids, from, to, keptIds);
  const shares =
    layout === null ? phoneShares(ratios.slice(0, DRAWN_AT_FIRST).map((ratio) => ratio ?? UNKNOWN_RATIO)) : [];
  // Photos that are not loaded yet count with the average height.
  const height = layout === null || cells.length === 0 ? undefined : layout.height * Math.max(1, total / cells.length);

  return (
    <ul
      ref={list}
      aria-label={label}
      className={layout === null ? 'photo-grid [--gutter:8px] [--row:125px] lg:[--row:170px]' : 'relative'}
      style={height === undefined ? undefined : { height }}
    >
      {drawn.map((index) => {
        const cell = cells[index];
        if (!cell) return null;
        return children(cell, index, {
          'data-photo': cell.id,
          'aria-setsize': total,
          'aria-posinset': index + 1,
          ...placeOf(layout, index, cell, shares[index] ?? 1),
        });
      })}
      {layout === null && <li aria-hidden="true" className="photo-grid-end" />}
    </ul>
  );
}

function indexesDrawn(ids: readonly number[], from: number, to: number, kept: readonly (number | null)[]): number[] {
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);
  for (const id of kept) {
    const index = id === null ? -1 : ids.indexOf(id);
    if (index !== -1 && (index < from || index >= to) && !indexes.includes(index)) indexes.push(index);
  }
  return indexes.sort((one, other) => one - other);
}

function placeOf(
  layout: GridLayout | null,
  index: number,
  { ratio }: Cell,
  share: number,
): Pick<TilePlace, 'style' | 'data-alone'> {
  const box = layout && boxOf(layout, index);
  if (!box)
    return {
      style: { '--ratio': ratio ?? UNKNOWN_RATIO, '--share': share } as CSSProperties,
      'data-alone': share === 1 || undefined,
    };
  const { left, top, width, height } = box;
  return { style: { position: 'absolute', aspectRatio: 'auto', maxWidth: 'none', left, top, width, height } };
}

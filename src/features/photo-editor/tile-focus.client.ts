/** One photo of the grid is reached by Tab; arrows, Home and End lead to the others, drawn or not. */
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { besideInGrid, type GridLayout } from '#src/features/photo-editor/grid-rows.rules.ts';

/** Space for bars that are above and below the grid. */
const MARGIN_PX = 90;

export type TileFocus = {
  /** Null before anything had the focus: then it is the first photo. */
  currentId: number | null;
  /** Told what has the focus. */
  note: (id: number) => void;
  /** Gives it the focus, and brings it in sight. */
  go: (id: number, layout: GridLayout) => void;
};

export function useTileFocus(list: RefObject<HTMLElement | null>, ids: readonly number[]): TileFocus {
  const [currentId, setCurrentId] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);

  // After each drawing: the tile may have been drawn for this only.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const tile = list.current?.querySelector<HTMLElement>(`[data-photo="${wanted.current}"]`);
    if (!tile) return;
    wanted.current = null;
    const main = tile.querySelector<HTMLElement>('[data-main]') ?? tile.querySelector<HTMLElement>('button, input');
    main?.focus({ preventScroll: true });
  });

  const go = useCallback(
    (id: number, layout: GridLayout) => {
      const box = layout.boxes[ids.indexOf(id)];
      const element = list.current?.querySelector('ul');
      if (!box || !element) return;
      const top = element.getBoundingClientRect().top + box.top;
      const below = top + box.height + MARGIN_PX - window.innerHeight;
      const by = top < MARGIN_PX ? top - MARGIN_PX : below > 0 ? Math.min(below, top - MARGIN_PX) : 0;
      if (by !== 0) window.scrollBy({ top: by, behavior: 'instant' });
      wanted.current = id;
      setCurrentId(id);
    },
    [ids, list],
  );
  return { currentId, note: setCurrentId, go };
}

/** Where a key leads from a photo; null for keys that lead nowhere. */
export function placeByKey(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  index: number,
  layout: GridLayout,
): number | null {
  if (ctrlKey || metaKey || altKey) return null;
  const last = layout.boxes.length - 1;
  if (key === 'ArrowRight') return Math.min(last, index + 1);
  if (key === 'ArrowLeft') return Math.max(0, index - 1);
  if (key === 'ArrowDown') return besideInGrid(layout, index, 'down') ?? last;
  if (key === 'ArrowUp') return besideInGrid(layout, index, 'up') ?? 0;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return null;
}

/** A grid on its page: its width, its visible rows, and the focused photo. */
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  startTransition,
  useCallback,
  type RefObject,
} from 'react';
import {
  besideInGrid,
  boxOf,
  layGrid,
  rowsBetween,
  type GridLayout,
} from '#src/features/photo-wall/grid-rows.rules.ts';

/** The breakpoint of photo-grid.css. */
const PHONE_BELOW_PX = 600;
const GUTTER_PX = 8;
/** Lower rows beside the rail of a tablet, where two wide photos would otherwise not fit side by side. */
const ROW_PX = { desktop: 170, tablet: 125 } as const;
const DESKTOP_FROM_PX = 1_024;
/** How many window heights beyond both edges are rendered, for fast scrolling. */
const AHEAD = 0.75;
/** Shorter scrolls render no other rows. */
const STEP_PX = 50;

/** Null until the browser has measured; until then the style sheet lays out the server's page. */
export function useGridLayout(list: RefObject<HTMLElement | null>, ratios: readonly (number | null)[]) {
  const [width, setWidth] = useState<number | null>(null);
  const [windowWidth, setWindowWidth] = useState(DESKTOP_FROM_PX);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      setWidth(element.clientWidth);
      setWindowWidth(window.innerWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  const isPhone = windowWidth < PHONE_BELOW_PX;
  const rowHeight = windowWidth < DESKTOP_FROM_PX ? ROW_PX.tablet : ROW_PX.desktop;
  return useMemo(
    () => (width === null ? null : layGrid(ratios, { width, gutter: GUTTER_PX, rowHeight, isPhone })),
    [ratios, width, rowHeight, isPhone],
  );
}

/**
 * The rows in and around the window. React renders new rows in portions, so the page stays responsive; the grid's position is
 * measured before a frame's changes, because afterwards everything would be laid out twice.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  layout: GridLayout | null,
): { first: number; last: number } {
  const [seen, setSeen] = useState<{ top: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      const top = Math.round(-element.getBoundingClientRect().top / STEP_PX) * STEP_PX;
      const height = window.innerHeight;
      setSeen((before) => (before?.top === top && before.height === height ? before : { top, height }));
    };
    measure();
    return watchWindow(() => startTransition(measure));
  }, [list, layout]);
  if (!layout || !seen) return { first: 0, last: 0 };
  const ahead = seen.height * AHEAD;
  return rowsBetween(layout.rows, seen.top - ahead, seen.top + seen.height + ahead);
}

/** Calls after anything moves a grid in its window, once per frame. */
function watchWindow(moved: () => void): () => void {
  let frame = 0;
  const later = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(moved);
  };
  // Elements above may open and close without a scroll.
  const observer = new ResizeObserver(later);
  observer.observe(document.body);
  window.addEventListener('scroll', later, { passive: true });
  window.addEventListener('resize', later);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    window.removeEventListener('scroll', later);
    window.removeEventListener('resize', later);
  };
}

/**
 * Keeps the scroll position relative to the visible photos when photos are added or removed above. `ids` are those of the
 * layout's photos.
 */
export function useScrollAnchor(
  list: RefObject<HTMLElement | null>,
  layout: GridLayout | null,
  ids: readonly number[],
  anchorsScroll: boolean,
): void {
  const held = useRef<{ id: number; top: number } | null>(null);
  const hold = useEffectEvent(() => {
    const top = -(list.current?.getBoundingClientRect().top ?? 0);
    held.current = null;
    if (!layout || top <= 0) return;
    const row = layout.rows[rowsBetween(layout.rows, top, top + 1).first];
    const id = row && ids[row.start];
    if (row && id !== undefined) held.current = { id, top: row.top };
  });
  useLayoutEffect(() => {
    const anchor = held.current;
    const index = anchor ? ids.indexOf(anchor.id) : -1;
    const moved = anchor && index !== -1 ? ((layout && boxOf(layout, index))?.top ?? anchor.top) - anchor.top : 0;
    if (anchorsScroll && Math.abs(moved) > 1) window.scrollBy({ top: moved, behavior: 'instant' });
    hold();
  }, [layout, ids, anchorsScroll, list]);
  useEffect(() => {
    const later = () => hold();
    window.addEventListener('scroll', later, { passive: true });
    return () => window.removeEventListener('scroll', later);
  }, []);
}

/** After so long without a scroll the page is at rest. */
const REST_MS = 300;
/** So many tiles are completed in one frame. */
const COMPLETED_TOGETHER = 12;
const FRAME_MS = 16;

/** What tiles render at rest, in the order in which they came into view. */
const forRest = new Set<() => void>();
let restTimer: ReturnType<typeof setTimeout> | undefined;

function rest(): void {
  const some = [...forRest].slice(0, COMPLETED_TOGETHER);
  for (const each of some) forRest.delete(each);
  startTransition(() => some.forEach((each) => each()));
  if (forRest.size > 0) restTimer = setTimeout(rest, FRAME_MS);
  else window.removeEventListener('scroll', restLater);
}

function restLater(): void {
  clearTimeout(restTimer);
  restTimer = setTimeout(rest, REST_MS);
}

/**
 * True from the first rest of the page on. A tile that is only scrolled past is rendered without what it needs later: most
 * elements of a tile are buttons.
 */
export function useHasRested(): boolean {
  const [hasRested, setRested] = useState(false);
  useEffect(() => {
    const complete = () => setRested(true);
    if (forRest.size === 0) {
      window.addEventListener('scroll', restLater, { passive: true });
      restLater();
    }
    forRest.add(complete);
    return () => void forRest.delete(complete);
  }, []);
  return hasRested;
}

/** Space for bars above and below the grid. */
const MARGIN_PX = 90;
/** Of the window's height, so that Page Down leaves some of the photos in view. */
const PART_OF_PAGE = 0.8;

export type TileFocus = {
  /** Null before anything had the focus: then it is the first photo. */
  currentId: number | null;
  /** Called with the focused photo. */
  note: (id: number) => void;
  /** Focuses it, and scrolls it into view. */
  go: (id: number, layout: GridLayout) => void;
};

export function useTileFocus(list: RefObject<HTMLElement | null>, ids: readonly number[]): TileFocus {
  const [currentId, setCurrentId] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);
  const isWaiting = useRef(false);

  // After each render: the tile may have been rendered only for this. Until its photo is loaded, the tile itself has the focus,
  // so that the next key arrives.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const tile = list.current?.querySelector<HTMLElement>(`[data-photo="${wanted.current}"]`);
    if (!tile) return;
    // The tile itself loses the focus as soon as its photo has it instead.
    const hasLeft = isWaiting.current && document.activeElement !== tile && document.activeElement !== document.body;
    const main = tile.querySelector<HTMLElement>('[data-main]') ?? tile.querySelector<HTMLElement>('button, input');
    if (main || hasLeft) wanted.current = null;
    isWaiting.current = wanted.current !== null;
    if (!hasLeft) (main ?? tile).focus({ preventScroll: true });
  });

  const go = useCallback(
    (id: number, layout: GridLayout) => {
      const box = boxOf(layout, ids.indexOf(id));
      const element = list.current?.querySelector('ul');
      if (!box || !element) return;
      const top = element.getBoundingClientRect().top + box.top;
      const below = top + box.height + MARGIN_PX - window.innerHeight;
      const by = top < MARGIN_PX ? top - MARGIN_PX : below > 0 ? Math.min(below, top - MARGIN_PX) : 0;
      if (by !== 0) window.scrollBy({ top: by, behavior: 'instant' });
      wanted.current = id;
      isWaiting.current = false;
      setCurrentId(id);
    },
    [ids, list],
  );
  return { currentId, note: setCurrentId, go };
}

/** The photo that a key moves to; null for other keys. */
export function placeByKey(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  index: number,
  layout: GridLayout,
): number | null {
  if (ctrlKey || metaKey || altKey) return null;
  const last = layout.ratios.length - 1;
  if (key === 'ArrowRight') return Math.min(last, index + 1);
  if (key === 'ArrowLeft') return Math.max(0, index - 1);
  if (key === 'ArrowDown') return besideInGrid(layout, index, 'down') ?? last;
  if (key === 'ArrowUp') return besideInGrid(layout, index, 'up') ?? 0;
  if (key === 'PageDown') return aPageAway(layout, index, 'down');
  if (key === 'PageUp') return aPageAway(layout, index, 'up');
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return null;
}

/** A photo in the last row within a page, but at least in the next row; at the end the photo itself. */
function aPageAway(layout: GridLayout, index: number, way: 'up' | 'down'): number {
  const topOf = (at: number) => boxOf(layout, at)?.top ?? 0;
  const farPx = window.innerHeight * PART_OF_PAGE;
  let at = index;
  for (;;) {
    const next = besideInGrid(layout, at, way);
    if (next === null || (at !== index && Math.abs(topOf(next) - topOf(index)) > farPx)) return at;
    at = next;
  }
}

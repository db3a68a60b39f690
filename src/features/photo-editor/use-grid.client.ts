/** Measures a grid on its page: how wide it is, and which of its rows are in sight. */
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import { layGrid, rowsBetween, type GridLayout } from '#src/features/photo-editor/grid-rows.rules.ts';

/** As photo-grid.css tells phones from computers. */
const PHONE_BELOW_PX = 600;
const GUTTER_PX = 8;
/** Lower rows beside the rail of a tablet, where two wide photos would not fit side by side otherwise. */
const ROW_PX = { desktop: 170, tablet: 125 } as const;
const DESKTOP_FROM_PX = 1_024;
/** Drawn beyond both edges, in heights of the window: a swift thumb finds pictures there. */
const AHEAD = 0.75;

export type Sight = { first: number; last: number };
/** Two rows in one number, which is the same as before when nothing has changed. */
const PACK = 2 ** 24;

/** Null until the browser has measured; the server's page is laid out by the style sheet until then. */
export function useGridLayout(
  list: RefObject<HTMLElement | null>,
  ratios: readonly (number | null)[],
): GridLayout | null {
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

/** The rows in and around the window. */
export function useSight(list: RefObject<HTMLElement | null>, layout: GridLayout | null): Sight {
  const packed = useSyncExternalStore(
    watchWindow,
    () => {
      const element = list.current;
      if (!element || !layout) return 0;
      const top = -element.getBoundingClientRect().top;
      const ahead = window.innerHeight * AHEAD;
      const { first, last } = rowsBetween(layout.rows, top - ahead, top + window.innerHeight + ahead);
      return first * PACK + last;
    },
    () => 0,
  );
  return { first: Math.floor(packed / PACK), last: packed % PACK };
}

/** Tells after whatever moves a grid in its window, once per frame. */
function watchWindow(moved: () => void): () => void {
  let frame = 0;
  const later = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(moved);
  };
  // Whatever is above may open and close without a scroll.
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
 * Keeps what is being looked at where it is when photos are added or removed above it. `ids` are those of the layout's boxes.
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
    const moved = anchor && index !== -1 ? (layout?.boxes[index]?.top ?? anchor.top) - anchor.top : 0;
    if (anchorsScroll && Math.abs(moved) > 1) window.scrollBy({ top: moved, behavior: 'instant' });
    hold();
  }, [layout, ids, anchorsScroll, list]);
  useEffect(() => {
    const later = () => hold();
    window.addEventListener('scroll', later, { passive: true });
    return () => window.removeEventListener('scroll', later);
  }, []);
}

import { useLayoutEffect, type RefObject } from 'react';

const TILE = '.photo-tile';
/** Photos of one row, at the widest. */
const ROW_AT_MOST = 40;

/**
 * The last row of a list that goes on is not full yet: its photos would change their size and place as soon as the next ones
 * come. They wait unseen until then, so that nothing that is seen ever moves (speed P14).
 */
export function useWaitingRow(box: RefObject<HTMLElement | null>, count: number, goesOn: boolean): void {
  useLayoutEffect(() => {
    const grid = box.current;
    if (!grid || count === 0) return;
    const mark = () => {
      const tiles = [...grid.querySelectorAll<HTMLElement>(TILE)];
      const lastTop = tiles.at(-1)?.offsetTop;
      // One row alone is shown: an empty page would be worse.
      const waits = goesOn && tiles[0]?.offsetTop !== lastTop;
      // All is measured before anything is changed, and of thousands only the end.
      const row = waits ? tiles.slice(-ROW_AT_MOST).filter((tile) => tile.offsetTop === lastTop) : [];
      for (const tile of grid.querySelectorAll(`${TILE}[data-waiting]`)) tile.removeAttribute('data-waiting');
      for (const tile of row) tile.setAttribute('data-waiting', '');
    };
    mark();
    const observer = new ResizeObserver(mark);
    observer.observe(grid);
    return () => observer.disconnect();
  }, [box, count, goesOn]);
}

import { useLayoutEffect, type RefObject } from 'react';

const TILE = '.photo-tile';

/**
 * The last row of a list that goes on is not full yet: its photos would change their size and place as soon as the next ones
 * come. They wait unseen until then, so that nothing that is seen ever moves (design/speed P14).
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
      for (const tile of tiles) tile.toggleAttribute('data-waiting', waits && tile.offsetTop === lastTop);
    };
    mark();
    const observer = new ResizeObserver(mark);
    observer.observe(grid);
    return () => observer.disconnect();
  }, [box, count, goesOn]);
}

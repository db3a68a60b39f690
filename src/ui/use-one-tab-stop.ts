/**
 * A grid of hundreds of photos is one stop of the tab key. Without JavaScript the tiles' links are in the tab order;
 * with it, all except the current tile leave it, and arrow keys move.
 */
import { useEffect, useLayoutEffect, type RefObject } from 'react';

const TILE = '.photo-tile';
const STOP = `${TILE} > a[tabindex="0"]`;

export function useOneTabStop(grid: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const list = grid.current;
    if (!list) return;
    for (const control of list.querySelectorAll<HTMLElement>(`${TILE} :is(a, button):not([tabindex])`))
      control.tabIndex = -1;
    if (!list.querySelector(STOP)) list.querySelector<HTMLElement>(`${TILE} > a`)?.setAttribute('tabindex', '0');
  });

  useEffect(() => {
    const list = grid.current;
    if (!list) return;
    const ending = new AbortController();
    const { signal } = ending;
    function onFocus(event: FocusEvent): void {
      const link =
        event.target instanceof Element && event.target.closest(TILE)?.querySelector<HTMLElement>(':scope > a');
      if (!link || !list) return;
      for (const former of list.querySelectorAll<HTMLElement>(STOP)) former.tabIndex = -1;
      link.tabIndex = 0;
    }
    const early: KeyboardEvent[] = [];
    function onEarlyKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.key === 'Tab') return;
      if (event.key.startsWith('Arrow')) event.preventDefault();
      if (early.push(event) > 1) return;
      void import('#src/ui/photos/grid-keys.ts').then(({ followKeys }) => {
        if (signal.aborted || !list) return;
        list.removeEventListener('keydown', onEarlyKey);
        signal.addEventListener('abort', followKeys(list, early));
      });
    }
    list.addEventListener('focusin', onFocus, { signal });
    list.addEventListener('keydown', onEarlyKey, { signal });
    return () => ending.abort();
  }, [grid]);
}

import { useCallback } from 'react';

/**
 * The ref of a bar that disappears with what it is for. If it has the focus then, the element that `next` returns gets it,
 * as soon as the bar is gone. `next` must be the same function at each render.
 */
export function useFocusAfter(next: (around: Element | null) => HTMLElement | null) {
  return useCallback(
    (bar: HTMLElement | null) => {
      const around = bar?.parentElement ?? null;
      return () => {
        if (bar?.contains(document.activeElement)) queueMicrotask(() => next(around)?.focus({ preventScroll: true }));
      };
    },
    [next],
  );
}

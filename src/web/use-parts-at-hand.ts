import { useEffect } from 'react';
import { onceLoaded } from '#src/web/once-loaded.ts';

/** What the first view does not need and a press, or a lost connection, may want at any moment. */
const PARTS = [
  () => import('#src/web/frame/error-screens.tsx'),
  () => import('#src/ui/dialog.tsx'),
  () => import('#src/ui/toast-card.tsx'),
];

/** Fetches them once the page and its pictures stand. Each has its own answer for when it is missing. */
export function usePartsAtHand(): void {
  useEffect(
    () =>
      onceLoaded(() => {
        for (const part of PARTS) part().catch(() => undefined);
      }),
    [],
  );
}

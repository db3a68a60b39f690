import { useEffect } from 'react';
import { afterLoad } from '#src/web/after-load.ts';

/** Parts that the first view does not need, but a click or a lost connection may need at any moment. */
const PARTS = [
  () => import('#src/web/frame/error-screens.tsx'),
  () => import('#src/ui/dialog.tsx'),
  () => import('#src/ui/toast-card.tsx'),
];

/** Loads them once the page and its pictures have loaded. Each handles its own absence. */
export function usePreloadedParts(): void {
  useEffect(
    () =>
      afterLoad(() => {
        for (const part of PARTS) part().catch(() => undefined);
      }),
    [],
  );
}

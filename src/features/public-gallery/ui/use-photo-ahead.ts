import { useEffect, useEffectEvent } from 'react';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** At the visitor's first move, what an opened photo needs begins to load. */
export function usePhotoAhead(photos: readonly ShownPhoto[]): void {
  const photosNow = useEffectEvent(() => photos);
  useEffect(() => {
    const over = new AbortController();
    const wake = async () => {
      if (over.signal.aborted) return;
      const { getReady } = await import('#src/features/public-gallery/ui/photo-ahead.ts');
      const rest = getReady(() => photosNow());
      over.signal.addEventListener('abort', rest);
    };
    let isAwake = false;
    const first = () => {
      if (!isAwake) void wake();
      isAwake = true;
    };
    for (const sign of SIGNS) window.addEventListener(sign, first, { passive: true, once: true, signal: over.signal });
    return () => over.abort();
  }, []);
}

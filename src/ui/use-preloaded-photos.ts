import { useEffect } from 'react';
import { ratioOf, srcSetOf, type PhotoSource } from '#src/ui/photo-sources.ts';

/** Fetches pictures that are likely to be looked at next, when the browser has nothing better to do. */
export function usePreloadedPhotos(photos: readonly PhotoSource[], sizesOf: (ratio: number) => string): void {
  const wanted = photos.map((photo) => `${sizesOf(ratioOf(photo))}\n${srcSetOf(photo)}`).join('\n\n');
  useEffect(() => {
    if (wanted === '' || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
    const timer = setTimeout(() => {
      for (const [sizes, srcset] of wanted.split('\n\n').map((text) => text.split('\n'))) {
        const image = new Image();
        image.fetchPriority = 'low';
        image.sizes = sizes ?? '';
        image.srcset = srcset ?? '';
      }
    }, 300);
    return () => clearTimeout(timer);
  }, [wanted]);
}

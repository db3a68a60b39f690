/** Preloads what an opened photo needs. */
import { useEffect, useEffectEvent } from 'react';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { fetchAhead } from '#src/ui/photos/photo-sources.ts';
import { afterLoad } from '#src/web/after-load.ts';

/** The route of an opened photo, as in the manifest. */
export const PHOTO_ROUTE = 'features/public-gallery/photo.page';

type Manifest = { routes: Record<string, { module: string; clientLoaderModule?: string; imports?: string[] }> };

/**
 * The large picture is requested while the finger is still on its tile; the code of the photo's screen once the gallery is
 * shown, or with the finger.
 */
export function usePhotoAhead(photos: readonly ShownPhoto[]): void {
  const photoOf = useEffectEvent((tile: Element) => photos[Number(tile.id.replace('photo-', ''))]);
  useEffect(() => {
    const touched = ({ target }: PointerEvent) => {
      const tile = target instanceof Element ? target.closest('.photo-tile > a')?.parentElement : null;
      const photo = tile && photoOf(tile);
      if (!photo) return;
      fetchAhead(photo);
      fetchScreen();
    };
    window.addEventListener('pointerdown', touched, { passive: true });
    const forget = afterLoad(fetchScreen);
    return () => {
      window.removeEventListener('pointerdown', touched);
      forget();
    };
  }, []);
}

let isFetched = false;

/** The router's own `PrefetchPageLinks` would add more than a kilobyte to every page. */
function fetchScreen(): void {
  if (isFetched) return;
  isFetched = true;
  const manifest = (window as { __reactRouterManifest?: Manifest }).__reactRouterManifest;
  const route = manifest?.routes[PHOTO_ROUTE];
  for (const href of route ? [route.module, route.clientLoaderModule, ...(route.imports ?? [])] : []) {
    if (href !== undefined)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
}

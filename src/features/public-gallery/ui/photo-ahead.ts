/** What an opened photo needs, before it is opened. Loaded at the visitor's first move, so that the page itself pays nothing. */
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { fetchAhead } from '#src/ui/photos/stage-picture.tsx';

/** The route of an opened photo, as the manifest names it. */
export const PHOTO_ROUTE = 'features/public-gallery/photo.page';

type Manifest = { routes: Record<string, { module: string; clientLoaderModule?: string; imports?: string[] }> };

/**
 * Asks for the code of the photo's screen at once, and for the large picture while the finger is still on its tile.
 * The router's own `PrefetchPageLinks` would weigh more than a kilobyte in every page.
 */
export function getReady(photosNow: () => readonly ShownPhoto[]): () => void {
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: Manifest };
  const route = manifest?.routes[PHOTO_ROUTE];
  for (const href of route ? [route.module, route.clientLoaderModule, ...(route.imports ?? [])] : []) {
    if (href !== undefined)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  const touched = ({ target }: PointerEvent) => {
    const tile = target instanceof Element ? target.closest('.photo-tile > a')?.parentElement : null;
    const photo = tile && photosNow()[Number(tile.id.replace('photo-', ''))];
    if (photo) fetchAhead(photo);
  };
  window.addEventListener('pointerdown', touched, { passive: true });
  return () => window.removeEventListener('pointerdown', touched);
}

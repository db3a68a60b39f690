import { useEffect, useEffectEvent, useRef } from 'react';
import { setLoaded, takeLastViewed } from '#src/features/public-gallery/photos-at-hand.client.ts';
import type { PhotoPages } from '#src/features/public-gallery/ui/use-photo-pages.ts';

/** The maximum of one row: with this many behind it a photo's row is full, and shown (use-waiting-row). */
const ROW_AT_MOST = 8;

type Place = {
  /** The photo in the lightbox, null while it is closed. */
  openPhotoId: number | null;
  /** The position in the address, from 0. */
  photoIndex: number | null;
};

/**
 * Scrolls to `photoIndex`, loading as far as needed. After the lightbox the focus returns to the photo that was viewed last,
 * which may differ from the one that opened it.
 */
export function usePlaceInGallery(pages: PhotoPages, { openPhotoId, photoIndex }: Place): void {
  const lastOpen = useRef<number | null>(null);

  const arrive = useEffectEvent(async () => {
    // The opened photo, or the last one that was viewed.
    const seen = lastOpen.current === null ? null : (takeLastViewed() ?? lastOpen.current);
    lastOpen.current = null;
    const own = seen === null ? -1 : pages.photos.findIndex((photo) => photo.id === seen);
    const index = own === -1 ? photoIndex : own;
    // Who comes back is where they were, which may be far below the photo that they closed.
    if (index === null || (seen === null && window.scrollY > 0)) return;
    if (seen !== null) noteIndex(index);
    if (index + ROW_AT_MOST >= pages.photos.length) await pages.until(index + ROW_AT_MOST);
    whenPlaced(`photo-${index}`, (tile) => goTo(tile, seen !== null));
  });

  useEffect(() => setLoaded(pages.photos), [pages.photos]);
  useEffect(() => {
    if (openPhotoId === null) void arrive();
    else lastOpen.current = openPhotoId;
  }, [openPhotoId, photoIndex]);

  usePlaceAfterReload(pages);
}

/** Closing a photo carries its position in the address (specification P§2.4), without rendering the gallery again. */
function noteIndex(index: number): void {
  const address = new URL(location.href);
  address.searchParams.set('photoIndex', String(index));
  history.replaceState(history.state, '', address);
}

const STORAGE_KEY = 'gallery-place';
type StoredPlace = { address: string; count: number; y: number };

/**
 * Within the product lists stay in memory. A reloaded document, or one reached with the back button from another site, has its
 * first photos only: the rest is loaded again, and then the page scrolls to its position.
 */
function usePlaceAfterReload(pages: PhotoPages): void {
  const keep = useEffectEvent(() => {
    const place: StoredPlace = { address: location.href, count: pages.photos.length, y: Math.round(window.scrollY) };
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(place));
    } catch {
      // A browser without storage starts at the top.
    }
  });
  const comeBack = useEffectEvent(async () => {
    const place = readStored();
    if (!place || place.address !== location.href || place.count <= pages.photos.length) return;
    const before = window.scrollY;
    await pages.until(place.count - 1);
    whenPlaced(`photo-${place.count - 1}`, () => {
      // A visitor who has scrolled meanwhile stays there.
      if (Math.abs(window.scrollY - before) < 50) window.scrollTo({ top: place.y, behavior: 'instant' });
    });
  });
  useEffect(() => {
    window.addEventListener('pagehide', keep);
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (isFirstPage && (entry?.type === 'reload' || entry?.type === 'back_forward')) void comeBack();
    isFirstPage = false;
    return () => window.removeEventListener('pagehide', keep);
  }, []);
}

/** Until the first gallery of this document is shown. */
let isFirstPage = true;

function readStored(): StoredPlace | null {
  try {
    const place = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<StoredPlace> | null;
    return typeof place?.address === 'string' && typeof place.count === 'number' && typeof place.y === 'number'
      ? { address: place.address, count: Math.min(place.count, 5_000), y: place.y }
      : null;
  } catch {
    return null;
  }
}

/** Calls `act` with a requested element, in the frame in which React has placed it; never if it does not come. */
function whenPlaced(id: string, act: (element: HTMLElement) => void, frames = 60): void {
  requestAnimationFrame(() => {
    const element = document.getElementById(id);
    if (element) act(element);
    else if (frames > 1) whenPlaced(id, act, frames - 1);
  });
}

function goTo(tile: HTMLElement, withFocus: boolean): void {
  const { top, bottom } = tile.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) tile.scrollIntoView({ block: 'center' });
  if (withFocus) tile.querySelector('a')?.focus({ preventScroll: true });
}

/** Scrolls a section's heading to the top, below the sticky row, after loading as far as needed. */
export async function jumpTo(pages: PhotoPages, at: number): Promise<void> {
  if (at + ROW_AT_MOST >= pages.photos.length) await pages.until(at + ROW_AT_MOST);
  whenPlaced(at === 0 ? 'main' : `section-${at}`, (heading) => heading.scrollIntoView());
}

import { useEffect, useEffectEvent, useRef } from 'react';
import type { PhotoPages } from '#src/features/galleries/ui/use-photo-pages.ts';

/** Photos of one row: with so many behind it a photo's row is full, and shown (use-waiting-row). */
const ROW_AT_MOST = 8;

type Place = {
  /** The photo in the lightbox, null while it is closed. */
  openPhotoId: number | null;
  /** Where the address asks to go, from 0. */
  photoIndex: number | null;
};

/**
 * Brings the viewer to `photoIndex`, loading as far as needed. After the lightbox the focus
 * returns to the photo that was looked at last, which need not be the one that opened it.
 */
export function usePlaceInGallery(pages: PhotoPages, { openPhotoId, photoIndex }: Place): void {
  const lastOpen = useRef<number | null>(null);

  const arrive = useEffectEvent(async () => {
    const seen = lastOpen.current;
    lastOpen.current = null;
    const own = seen === null ? -1 : pages.photos.findIndex((photo) => photo.id === seen);
    const index = own === -1 ? photoIndex : own;
    if (index === null) return;
    if (index + ROW_AT_MOST >= pages.photos.length) await pages.until(index + ROW_AT_MOST);
    // The tiles that were just loaded stand after the next frame.
    requestAnimationFrame(() => goTo(index, seen !== null));
  });

  useEffect(() => {
    if (openPhotoId === null) void arrive();
    else lastOpen.current = openPhotoId;
  }, [openPhotoId, photoIndex]);
}

function goTo(index: number, withFocus: boolean): void {
  const tile = document.getElementById(`photo-${index}`);
  if (!tile) return;
  const { top, bottom } = tile.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) tile.scrollIntoView({ block: 'center' });
  if (withFocus) tile.querySelector('a')?.focus({ preventScroll: true });
}

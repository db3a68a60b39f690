/**
 * Which photos this tab has loaded, and which was viewed last. Opening a loaded photo sends no request, and closing it returns
 * to the one that was viewed last.
 */
let loadedIds: ReadonlySet<number> = new Set();
let lastViewed: number | null = null;

export function setLoaded(photos: readonly { id: number }[]): void {
  loadedIds = new Set(photos.map(({ id }) => id));
}

export function isLoaded(photoId: number): boolean {
  return loadedIds.has(photoId);
}

export function setLastViewed(photoId: number): void {
  lastViewed = photoId;
}

/** Null if none was viewed; resets it. */
export function takeLastViewed(): number | null {
  const photoId = lastViewed;
  lastViewed = null;
  return photoId;
}

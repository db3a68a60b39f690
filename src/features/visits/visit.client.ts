/** Reports that a gallery was opened: once in a tab, without saying who did it. */
export function reportVisit(galleryId: number): void {
  const path = `/api/v1/galleries/${galleryId}/visits`;
  try {
    if (sessionStorage.getItem(path) !== null) return;
    sessionStorage.setItem(path, '1');
  } catch {
    // A frame of another site may have no storage: then each opening counts.
  }
  navigator.sendBeacon(path);
}

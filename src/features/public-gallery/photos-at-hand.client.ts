/**
 * Which photos this tab has loaded, and which was viewed last. Opening a loaded photo sends no request, and closing it returns
 * to the one that was viewed last.
 */
let atHand: ReadonlySet<number> = new Set();
let lookedAt: number | null = null;

export function keepAtHand(photos: readonly { id: number }[]): void {
  atHand = new Set(photos.map(({ id }) => id));
}

export function isAtHand(photoId: number): boolean {
  return atHand.has(photoId);
}

export function lookAt(photoId: number): void {
  lookedAt = photoId;
}

/** Null if none was viewed; resets it. */
export function takeLookedAt(): number | null {
  const photoId = lookedAt;
  lookedAt = null;
  return photoId;
}

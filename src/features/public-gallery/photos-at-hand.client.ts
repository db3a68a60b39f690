/**
 * Which photos this tab has loaded, and which one was looked at last. Opening a photo that is here asks the server for nothing,
 * and closing it, by whatever way, leads back to the one that was looked at last.
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

/** Null when none was looked at; after that it is forgotten. */
export function takeLookedAt(): number | null {
  const photoId = lookedAt;
  lookedAt = null;
  return photoId;
}

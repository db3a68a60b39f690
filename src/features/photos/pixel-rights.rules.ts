/**
 * Who may see which pixels (rule 2): one function, which every route that serves bytes
 * asks. Below it, how long an allowed picture may be kept.
 */

/** What is asked for. */
export type PixelRequest = {
  /** The file itself instead of a rendition. */
  download: boolean;
  /** A size was named with it: an editor's download is then the clean rendition of that size. */
  sized?: boolean;
  /** By someone who says that they may edit the gallery. */
  adminview: boolean;
  /** An order key came along; whether it opens this photo is a fact. */
  orderKey: boolean;
};

/** What is so. */
export type PixelFacts = {
  /** Ready photos have pixels; others have none. */
  ready: boolean;
  removed: boolean;
  shownInGallery: boolean;
  galleryActive: boolean;
  /** A password is required that this caller has not given. */
  locked: boolean;
  /** Password or not listed: nothing that a shared cache should keep. */
  galleryRestricted: boolean;
  displayWatermark: boolean;
  /** The caller may edit the gallery. */
  editor: boolean;
  /** The caller sent this very photo and may look at it while it waits. */
  contributor: boolean;
  /** A card that this browser has opened is of a child whose family may see the photo. Asked only where nothing else opens it. */
  family?: boolean;
  /** The order key belongs to a paid, not revoked line for exactly this photo, or to such a pass that it is in. */
  paid: boolean;
};

export type Pixels =
  | { kind: 'none' }
  /** `everyone`: the same for all visitors; `visitor`: only for those who may see the gallery; `holder`: only for this caller. */
  | { kind: 'rendition'; mark: 'clean' | 'marked'; keeping: 'everyone' | 'visitor' | 'holder' }
  /** `uploaded`: byte for byte; `sold`: the same less its GPS position (rule 9). */
  | { kind: 'original'; as: 'uploaded' | 'sold' };

const NONE: Pixels = { kind: 'none' };

/** The decision. A wrong order key or a foreign `adminview` opens nothing, not even what the caller could see without. */
export function decidePixels(request: PixelRequest, facts: PixelFacts): Pixels {
  if (!facts.ready) return NONE;
  if (request.adminview) {
    if (!facts.editor || facts.removed) return NONE;
    return request.download && request.sized !== true
      ? { kind: 'original', as: 'uploaded' }
      : { kind: 'rendition', mark: 'clean', keeping: 'holder' };
  }
  if (request.orderKey) {
    if (!facts.paid) return NONE;
    return request.download
      ? { kind: 'original', as: 'sold' }
      : { kind: 'rendition', mark: 'clean', keeping: 'holder' };
  }
  if (request.download || facts.removed) return NONE;
  const mark = facts.displayWatermark ? 'marked' : 'clean';
  const isPublic = facts.galleryActive && facts.shownInGallery && !facts.locked;
  if (isPublic) return { kind: 'rendition', mark, keeping: facts.galleryRestricted ? 'visitor' : 'everyone' };
  const isOwn = (facts.contributor || facts.family === true) && facts.galleryActive;
  return facts.editor || isOwn ? { kind: 'rendition', mark, keeping: 'holder' } : NONE;
}

/** How long a picture may be kept, by whom (threat 12). Only addresses of the very version are for good. */
export function cacheControl(pixels: Exclude<Pixels, { kind: 'none' }>, isThisVersion: boolean): string {
  if (pixels.kind === 'original' || pixels.keeping === 'holder') return 'private, no-store';
  // Asked again each time: a changed password closes the gate for kept pictures too.
  if (pixels.keeping === 'visitor') return 'private, no-cache';
  return isThisVersion ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
}

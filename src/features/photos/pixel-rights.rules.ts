/**
 * Who may see which pixels (rule 2): one function, which every route that serves pictures calls. Below it, how long an allowed
 * picture may be cached.
 */

export type PixelRequest = {
  /** The file itself instead of a rendition. */
  download: boolean;
  /** A size was given: an editor's download is then the clean rendition of that size. */
  sized?: boolean;
  /** By someone who claims to be an editor of the gallery. */
  adminview: boolean;
  /** With an order key; the facts say whether it opens this photo. */
  orderKey: boolean;
};

export type PixelFacts = {
  /** Only ready photos have pixels. */
  ready: boolean;
  removed: boolean;
  shownInGallery: boolean;
  galleryActive: boolean;
  /** The gallery needs a password that this caller has not given. */
  locked: boolean;
  /** Private or with a password: a shared cache must not store its pictures. */
  galleryRestricted: boolean;
  displayWatermark: boolean;
  /** The caller may edit the gallery. */
  editor: boolean;
  /** The caller sent this photo and may see it while it waits. */
  contributor: boolean;
  /**
   * A card that this browser has opened belongs to a child whose family may see the photo. Checked only if nothing else opens
   * it.
   */
  family?: boolean;
  /** The order key belongs to a paid, not revoked line for exactly this photo, or to a pass that includes it. */
  paid: boolean;
};

export type Pixels =
  | { kind: 'none' }
  /** `everyone`: the same for all visitors; `visitor`: only for those who may see the gallery; `holder`: only for this caller. */
  | { kind: 'rendition'; mark: 'clean' | 'marked'; cachedFor: 'everyone' | 'visitor' | 'holder' }
  /** `uploaded`: byte for byte; `sold`: the same less its GPS position (rule 9). */
  | { kind: 'original'; as: 'uploaded' | 'sold' };

const NONE: Pixels = { kind: 'none' };

/**
 * The decision. A wrong order key or an unauthorized `adminview` opens nothing, not even what the caller could see without it.
 */
export function decidePixels(request: PixelRequest, facts: PixelFacts): Pixels {
  if (!facts.ready) return NONE;
  if (request.adminview) {
    if (!facts.editor || facts.removed) return NONE;
    return request.download && request.sized !== true
      ? { kind: 'original', as: 'uploaded' }
      : { kind: 'rendition', mark: 'clean', cachedFor: 'holder' };
  }
  if (request.orderKey) {
    if (!facts.paid) return NONE;
    return request.download
      ? { kind: 'original', as: 'sold' }
      : { kind: 'rendition', mark: 'clean', cachedFor: 'holder' };
  }
  if (request.download || facts.removed) return NONE;
  const mark = facts.displayWatermark ? 'marked' : 'clean';
  const isPublic = facts.galleryActive && facts.shownInGallery && !facts.locked;
  if (isPublic) return { kind: 'rendition', mark, cachedFor: facts.galleryRestricted ? 'visitor' : 'everyone' };
  const isOwn = (facts.contributor || facts.family === true) && facts.galleryActive;
  return facts.editor || isOwn ? { kind: 'rendition', mark, cachedFor: 'holder' } : NONE;
}

/** How long a picture may be cached, and by whom (threat 12). Only addresses with the current version are permanent. */
export function cacheControl(pixels: Exclude<Pixels, { kind: 'none' }>, isThisVersion: boolean): string {
  if (pixels.kind === 'original' || pixels.cachedFor === 'holder') return 'private, no-store';
  // Revalidated each time, because a changed password also locks cached pictures.
  if (pixels.cachedFor === 'visitor') return 'private, no-cache';
  return isThisVersion ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
}

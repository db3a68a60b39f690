/** Which photos are public; a photo's pictures: size and address; its price, and what its gallery offers. */
import { RENDITION_SIZES, type RenditionSize } from '#src/shared/picture-sizes.ts';

/**
 * What visitors see of the photos `p`, in SQL. While a photo is withheld, the trigger `follow_withholdings` keeps
 * `show_in_gallery` off.
 */
export const IS_PUBLIC = `p.show_in_gallery and p.status = 'ready' and p.removed_at is null`;

/** The fixed size nearest to the requested one; without a valid number the largest. */
export function nearestSize(requested: string | undefined): RenditionSize {
  const wanted = requested !== undefined && /^\d{1,9}$/.test(requested) ? Number(requested) : 1440;
  return RENDITION_SIZES.reduce((best, size) => (Math.abs(size - wanted) < Math.abs(best - wanted) ? size : best));
}

/** The version in a picture's address: it changes with the pixels, by a new rendering or by switching the watermark. */
export function pictureVersion(pixelVersion: number, displayWatermark: boolean): string {
  return `${pixelVersion}.${displayWatermark ? 'm' : 'c'}`;
}

/** Our own address of a photo's picture; `&size=` may follow. */
export function pictureAddress(photo: {
  galleryId: number;
  id: number;
  pixelVersion: number;
  displayWatermark: boolean;
}): string {
  return `/api/v1/galleries/${photo.galleryId}/gallery_photos/${photo.id}?v=${pictureVersion(photo.pixelVersion, photo.displayWatermark)}`;
}

/** A gallery with a price sheet, in its newest version. */
export type OfferedGallery = {
  sheetId: number;
  version: number;
  galleryName: string;
  /** Public photos. */
  photoCount: number;
  isPrivate: boolean;
};

/** The price of a photo: its own, else the gallery's. Cents. */
export function priceOf(photo: { priceOverrideCents: number | null }, gallery: { priceCents: number }): number {
  return photo.priceOverrideCents ?? gallery.priceCents;
}

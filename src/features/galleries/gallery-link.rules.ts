/** Addresses within a gallery. What the visitor chose (public view, a search) goes along. */

/** Query parameters that stay while a visitor walks through a gallery. */
const KEPT = ['publicView', 'search'] as const;

export type GalleryPlace = { affiliate: string; galleryId: number; search: URLSearchParams };

function address(path: string, place: GalleryPlace, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const name of KEPT) {
    const value = place.search.get(name);
    if (value !== null) query.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `/${place.affiliate}/gallery/${place.galleryId}${path}${query.size === 0 ? '' : `?${query}`}`;
}

export function photoPath(place: GalleryPlace, photoId: number): string {
  return address(`/photo/${photoId}`, place);
}

/** The gallery itself; `photoIndex` counts from 0 (decision 51). */
export function galleryPath(place: GalleryPlace, photoIndex: number | null = null): string {
  return address('', place, photoIndex === null ? {} : { photoIndex: String(photoIndex) });
}

/** The page without a script that begins after a photo. */
export function laterPath(place: GalleryPlace, after: string): string {
  return address('', place, { after });
}

/** Reads `photoIndex`; null for anything that is no place in a list. */
export function readPhotoIndex(search: URLSearchParams): number | null {
  const text = search.get('photoIndex');
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

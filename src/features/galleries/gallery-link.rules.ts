/** Addresses within a gallery. What the visitor chose (public view, a search) goes along. */
import { GATE_PROBLEMS, type GateProblem } from '#src/features/galleries/gate.contract.ts';

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

/** The gallery itself; `photoIndex` counts from 0 (rule 51). */
export function galleryPath(place: GalleryPlace, photoIndex: number | null = null): string {
  return address('', place, photoIndex === null ? {} : { photoIndex: String(photoIndex) });
}

/** The gallery searched for other words; all of its photos without any. */
export function searchPath(place: GalleryPlace, text: string): string {
  const search = new URLSearchParams(place.search);
  search.delete('search');
  return address('', { ...place, search }, text === '' ? {} : { search: text });
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

/** The key of an unlock link, and the outcome of the last try. */
const [KEY, GATE] = ['key', 'gate'] as const;

/** The page again after a try, without the key, and with what went wrong. @param path of our own site */
export function gatePath(path: string, problem: GateProblem | null): string {
  const { pathname, searchParams } = new URL(path, 'http://site.invalid');
  searchParams.delete(KEY);
  if (problem === null) searchParams.delete(GATE);
  else searchParams.set(GATE, problem);
  return `${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}`;
}

/** What the gate says on this page, after an unlock without a script. */
export function gateProblemOf(search: URLSearchParams): string | null {
  const word = search.get(GATE) ?? '';
  return Object.hasOwn(GATE_PROBLEMS, word) ? GATE_PROBLEMS[word as GateProblem] : null;
}

/** Where the key of an unlock link is used: a route of the server, which sends the browser on to the page. Null without a key. */
export function unlockPath(galleryId: number, page: URL): string | null {
  const key = page.searchParams.get(KEY);
  if (key === null) return null;
  return `/api/v1/galleries/${galleryId}/unlock?${new URLSearchParams({ key, to: gatePath(page.pathname + page.search, null) })}`;
}

/** The path of a link that opens a gallery without its word (rule 1). */
export function unlockLinkPath(place: { affiliate: string; galleryId: number }, key: string): string {
  return `/${place.affiliate}/gallery/${place.galleryId}?${new URLSearchParams({ [KEY]: key })}`;
}

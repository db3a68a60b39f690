/** Addresses within a gallery. They keep what the visitor chose (public view, a search). */
import { GATE_PROBLEMS, type GateProblem } from '#src/features/galleries/gate.contract.ts';

/** Query parameters that stay while a visitor moves through a gallery. */
const KEPT = ['publicView', 'search'] as const;

/** `search`: the query of the visitor's page, if there is one. */
export type GalleryPlace = { affiliate: string; galleryId: number; search?: URLSearchParams };

/** `more`: parameters to add, or to leave out if they are empty. */
function address(path: string, place: GalleryPlace, more: Record<string, string> = {}): `/${string}` {
  const { affiliate, galleryId, search } = place;
  const query = new URLSearchParams();
  for (const name of KEPT) if (search?.has(name) && !(name in more)) query.set(name, search.get(name) ?? '');
  for (const [name, value] of Object.entries(more)) if (value !== '') query.set(name, value);
  return `/${affiliate}/gallery/${galleryId}${path}${query.size === 0 ? '' : `?${query}`}`;
}

export function photoPath(place: GalleryPlace, photoId: number): `/${string}` {
  return address(`/photo/${photoId}`, place);
}

/** The gallery itself; `photoIndex` counts from 0 (rule 51). */
export function galleryPath(place: GalleryPlace, photoIndex: number | null = null): `/${string}` {
  return address('', place, photoIndex === null ? {} : { photoIndex: String(photoIndex) });
}

/** The gallery with a search; without text all its photos. */
export function searchPath(place: GalleryPlace, text: string): string {
  return address('', place, { search: text });
}

/** The page that begins after a photo, for browsers without JavaScript. */
export function laterPath(place: GalleryPlace, after: string): `/${string}` {
  return address('', place, { after });
}

/** Parses `photoIndex`; null for an invalid position. */
export function readPhotoIndex(search: URLSearchParams): number | null {
  const text = search.get('photoIndex');
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** The key of an unlock link, and the result of the last try. */
const [KEY, GATE] = ['key', 'gate'] as const;

/** The page after a try, without the key, and with the problem. @param path of our own site */
export function gatePath(path: string, problem: GateProblem | null): string {
  const { pathname, searchParams } = new URL(path, 'http://site.invalid');
  searchParams.delete(KEY);
  if (problem === null) searchParams.delete(GATE);
  else searchParams.set(GATE, problem);
  return `${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}`;
}

/** The message of the password form, after an unlock without JavaScript. */
export function gateProblemOf(search: URLSearchParams): string | null {
  const word = search.get(GATE) ?? '';
  return Object.hasOwn(GATE_PROBLEMS, word) ? GATE_PROBLEMS[word as GateProblem] : null;
}

/** The server's route for the key of an unlock link, which redirects to the page. Null without a key. */
export function unlockPath(galleryId: number, page: URL): string | null {
  const key = page.searchParams.get(KEY);
  if (key === null) return null;
  return `/api/v1/galleries/${galleryId}/unlock?${new URLSearchParams({ key, to: gatePath(page.pathname + page.search, null) })}`;
}

/** The path of a link that opens a gallery without its password (rule 1). */
export function unlockLinkPath(place: { affiliate: string; galleryId: number }, key: string): string {
  return `/${place.affiliate}/gallery/${place.galleryId}?${new URLSearchParams({ [KEY]: key })}`;
}

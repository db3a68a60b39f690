/**
 * Addresses of the pages for a gallery's contributors and for the owner's review. `contributors.service.ts` decides who
 * may use a link.
 */
import { counted } from '#src/shared/counted.ts';

const COLLAB = 'collabKey';

/** The page where anyone with the link sends photos. */
export function contributorPath(key: string): string {
  return `/contributor?${new URLSearchParams({ contributeKey: key })}`;
}

/** The editor's address for an invited person (specification A§2: the query `collabKey`). */
export function collaboratorPath(gallery: { affiliate: string; id: number }, key: string): string {
  return `/${gallery.affiliate}/gallery/${gallery.id}/edit?${new URLSearchParams({ [COLLAB]: key })}`;
}

/** In the address after the key was removed: the viewer is still a contributor, and the tab stores the key. */
const KEPT = 'kept';

/** The same page without its key. */
export function hiddenCollaboratorPath(pathname: string): string {
  return `${pathname}?${new URLSearchParams({ [COLLAB]: KEPT })}`;
}

/**
 * How an address of the editor identifies its viewer: as a contributor with a key, with a key that the tab stores, or
 * not at all.
 */
export function readCollabKey(search: URLSearchParams): { key: string | null } | null {
  const word = search.get(COLLAB)?.trim() ?? null;
  return word === null ? null : { key: word === KEPT ? null : word };
}

/** The owner's review of contributions. */
export function reviewPath(gallery: { affiliate: string; id: number }): string {
  return `/${gallery.affiliate}/gallery/${gallery.id}/review`;
}

/** "3 photos to review". */
export function waitingText(count: number): string {
  return counted(count, 'photo to review', 'photos to review');
}

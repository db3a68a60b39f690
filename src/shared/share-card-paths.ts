/** Addresses of the pictures of shared links. */

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

/**
 * The card of a gallery, or of one photo of it. `facts` are what the card shows: the address changes with every change,
 * so that networks, which cache pictures for weeks, fetch again.
 */
export function galleryCardPath(galleryId: number, photoId: number | null, facts: readonly string[]): string {
  const photo = photoId === null ? '' : `photo=${photoId}&`;
  return `/api/v1/share_cards/galleries/${galleryId}?${photo}v=${versionOf(facts)}`;
}

/** The card of an organization's home. */
export function organizationCardPath(organizationId: number, facts: readonly string[]): string {
  return `/api/v1/share_cards/organizations/${organizationId}?v=${versionOf(facts)}`;
}

/** The card of an organization that is not shown to everyone: only its name, which is in the link, too. */
export function organizationNameCardPath(organizationId: number, facts: readonly string[]): string {
  return `/api/v1/share_cards/organizations/${organizationId}?only=name&v=${versionOf(facts)}`;
}

/** FNV-1a over UTF-16: distinguishes versions, and protects no secret. */
function versionOf(facts: readonly string[]): string {
  let hash = 0x811c9dc5;
  const text = facts.join('\n');
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

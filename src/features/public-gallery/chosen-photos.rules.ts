/** Addresses that carry photos: short enough for every messenger, long enough for a season's favorites. */

/** Photos that one link shows. */
export const MAX_CHOSEN = 100;

/** Ids in the address: base 36, as a number of sixteen digits is long to read and longer to send. */
export function writeChosen(ids: readonly number[]): string {
  return ids
    .slice(0, MAX_CHOSEN)
    .map((id) => id.toString(36))
    .join('.');
}

/** The ids of an address; what is none is left out. */
export function readChosen(text: string): number[] {
  return text
    .split('.', MAX_CHOSEN)
    .filter((part) => /^[0-9a-z]{1,11}$/.test(part))
    .map((part) => Number.parseInt(part, 36))
    .filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** The page of an affiliate's favorites; with photos it shows these to everyone who has the address. */
export function favoritesPath(affiliate: string, ids: readonly number[] = []): string {
  return `/${affiliate}/favorites${ids.length === 0 ? '' : `?photos=${writeChosen(ids)}`}`;
}

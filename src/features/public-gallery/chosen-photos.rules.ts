/** Addresses that contain photos: short enough for every messenger, long enough for a season's favorites. */

/** Photos that one link shows. */
export const MAX_CHOSEN = 100;

/** Ids in the address, in base 36, because numbers of sixteen digits are long. */
export function writeChosen(ids: readonly number[]): string {
  return ids
    .slice(0, MAX_CHOSEN)
    .map((id) => id.toString(36))
    .join('.');
}

/** The ids of an address, without invalid ones. */
export function readChosen(text: string): number[] {
  return text
    .split('.', MAX_CHOSEN)
    .filter((part) => /^[0-9a-z]{1,11}$/.test(part))
    .map((part) => Number.parseInt(part, 36))
    .filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** The page of an affiliate's favorites; with photos it shows these to everyone with the address. */
export function favoritesPath(affiliate: string, ids: readonly number[] = []): string {
  return `/${affiliate}/favorites${ids.length === 0 ? '' : `?photos=${writeChosen(ids)}`}`;
}

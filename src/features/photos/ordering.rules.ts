/**
 * Moving a photo gives it a key between its new neighbors. Keys in one gap grow by a character every sixth move, so a key
 * that has grown too long has the run of long keys around it written anew, evenly (decision record 0014).
 */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** Some 450 moves into the same gap. */
export const MAX_KEY_CHARACTERS = 100;
/** A run ends at a key that no one grew: those of batches have 25 characters. */
export const GROWN_KEY_CHARACTERS = 40;

/**
 * A key between two neighbors; null at an end.
 * Null when there is none, or only one that is too long: then the neighborhood is to be written anew.
 */
export function keyBetween(left: string | null, right: string | null): string | null {
  if (left !== null && right !== null && left >= right) return null;
  const key = generateKeyBetween(left, right);
  return key.length > MAX_KEY_CHARACTERS ? null : key;
}

/** The gap that a moved photo goes into, behind the featured photo's key where that lies between. */
export function gapOf(left: string | null, right: string | null, featuredKey: string | null) {
  const isBetween =
    featuredKey !== null && (left === null || left < featuredKey) && (right === null || featuredKey < right);
  return { left: isBetween ? featuredKey : left, right };
}

/** So many photos are looked at on either side for the end of a run. */
export const RUN_AT_MOST = 2_000;

export type Keyed = { id: number; key: string };

/** The photos of a run and the key that ends it; null at the end of the gallery. */
function runOf(photos: readonly Keyed[], isKept: (photo: Keyed) => boolean): { run: Keyed[]; bound: string | null } {
  const found = photos.findIndex(isKept);
  const end = found === -1 && photos.length >= RUN_AT_MOST ? photos.length - 1 : found;
  return end === -1
    ? { run: [...photos], bound: null }
    : { run: photos.slice(0, end), bound: photos[end]?.key ?? null };
}

/**
 * New keys for the moved photo and the run of long or equal keys around its new place.
 * @param before photos in front of the place, nearest first, at most RUN_AT_MOST
 * @param after photos behind it, nearest first, likewise
 * @param featuredKey is elsewhere than its key says, and keeps it
 */
export function respread(
  moved: number,
  before: readonly Keyed[],
  after: readonly Keyed[],
  featuredKey: string | null,
): Keyed[] {
  const isShort = ({ key }: Keyed) => key.length <= GROWN_KEY_CHARACTERS;
  const left = runOf(before, isShort);
  const right = runOf(after, (photo) => isShort(photo) && (left.bound === null || photo.key > left.bound));
  const ids = [...left.run.map(({ id }) => id).toReversed(), moved, ...right.run.map(({ id }) => id)];
  const keys = generateNKeysBetween(left.bound, right.bound, ids.length + 1).filter((key) => key !== featuredKey);
  return ids.map((id, index) => ({ id, key: keys[index] ?? '' }));
}

/**
 * The position of a photo is a text key between its neighbors (fractional indexing): adding and moving change one row.
 * A batch has one integer of that order; its photos follow it by capture time (rule 28).
 */
import { BASE_62_DIGITS, generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { readPlace, writePlace } from '#src/shared/paging.ts';

/** The order of the photos `p` of a gallery, in SQL: the featured one first, which is therefore the gallery's cover. */
export const PLACE = '(not p.featured), p.order_key, p.id';

const SMALL_A = 'a'.charCodeAt(0);
const CAPITAL_Z = 'Z'.charCodeAt(0);

/** The integer at the start of a key: its first character says its length. */
function wholeNumberOf(key: string): string {
  const head = key.charCodeAt(0);
  const length = head >= SMALL_A ? head - SMALL_A + 2 : CAPITAL_Z - head + 2;
  return key.slice(0, length);
}

/** An integer before every key of the gallery. `first` is the smallest key, null in an empty gallery. */
export function prefixBefore(first: string | null): string {
  return generateKeyBetween(null, first === null ? null : wholeNumberOf(first));
}

/** Milliseconds from here are never negative: cameras without a clock say year 1 or 1904. */
const YEAR_ONE_MS = -62_135_596_800_000;
const TIME_DIGITS = 8;
const NUMBER_DIGITS = 4;
const ID_DIGITS = 9;
/** A fraction must not end in a zero. */
const END = 'V';

type BatchMember = {
  /** Capture time; the time of the claim until that is known. */
  takenAt: Date;
  /** File name: its number sorts pictures of the same second, as cameras count. */
  name: string;
  photoId: number;
};

/** The key of a photo in its batch: a valid key between the batch's integer and the next. */
export function keyInBatch(prefix: string, { takenAt, name, photoId }: BatchMember): string {
  const time = fixedWidth(takenAt.getTime() - YEAR_ONE_MS, TIME_DIGITS);
  const number = fixedWidth(lastNumberIn(name), NUMBER_DIGITS);
  return `${prefix}${time}${number}${fixedWidth(photoId, ID_DIGITS)}${END}`;
}

function lastNumberIn(name: string): number {
  return Number(/(\d{1,9})\D*$/.exec(name)?.[1] ?? 0);
}

/** Base 62 with this many digits; other values are clamped. */
function fixedWidth(value: number, digits: number): string {
  let rest = Math.min(Math.max(0, Math.floor(value)), 62 ** digits - 1);
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    text = BASE_62_DIGITS.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * A moved photo gets a key between its new neighbors. Keys in one gap grow by a character every sixth move. When a key
 * is too long, the run of long keys around it is rewritten evenly (decision record 0014). This limit is reached after
 * some 450 moves into the same gap.
 */
export const MAX_KEY_CHARACTERS = 100;
/** A run ends at a key of normal length: those of batches have 25 characters. */
const GROWN_KEY_CHARACTERS = 40;

/**
 * A key between two neighbors; null at an end. Returns null if there is none, or only one that is too long: then the
 * neighborhood must be rewritten.
 */
export function keyBetween(left: string | null, right: string | null): string | null {
  if (left !== null && right !== null && left >= right) return null;
  const key = generateKeyBetween(left, right);
  return key.length > MAX_KEY_CHARACTERS ? null : key;
}

/** The gap that a moved photo goes into, skipping the featured photo's key if it is in between. */
export function gapOf(left: string | null, right: string | null, featuredKey: string | null) {
  const isBetween =
    featuredKey !== null && (left === null || left < featuredKey) && (right === null || featuredKey < right);
  return { left: isBetween ? featuredKey : left, right };
}

/** How many photos on either side are searched for the end of a run. */
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
 * New keys for the moved photo and the run of long or equal keys around its new position.
 * @param before photos before the position, nearest first, at most RUN_AT_MOST
 * @param after photos after it, nearest first, likewise
 * @param featuredKey the featured photo's key, which it keeps although it is shown first
 */
export function respread(moved: number, before: readonly Keyed[], after: readonly Keyed[], featuredKey: string | null) {
  const isShort = ({ key }: Keyed) => key.length <= GROWN_KEY_CHARACTERS;
  const left = runOf(before, isShort);
  const right = runOf(after, (photo) => isShort(photo) && (left.bound === null || photo.key > left.bound));
  const ids = [...left.run.map(({ id }) => id).toReversed(), moved, ...right.run.map(({ id }) => id)];
  const keys = generateNKeysBetween(left.bound, right.bound, ids.length + 1).filter((key) => key !== featuredKey);
  return ids.map((id, index) => ({ id, key: keys[index] ?? '' }));
}

export type PhotoPlace = {
  featured: boolean;
  orderKey: string;
  id: number;
  /** Of the photo at this position, in the caller's list. */
  index: number;
  /** Size of the whole list, counted with its first page. */
  total: number;
};

/** Opaque text for `next`. */
export function writePhotoPlace({ featured, orderKey, id, index, total }: PhotoPlace): string {
  return writePlace([featured ? 1 : 0, orderKey, id, index, total]);
}

/** Null for a text that we did not write. */
export function readPhotoPlace(text: string): PhotoPlace | null {
  const [featured, orderKey, id, index, total] = readPlace(text);
  if (typeof orderKey !== 'string' || !/^[0-9A-Za-z]{1,500}$/.test(orderKey)) return null;
  if (!isCount(id) || !isCount(index) || !isCount(total) || (featured !== 0 && featured !== 1)) return null;
  return { featured: featured === 1, orderKey, id, index, total };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The position of the photo that precedes one moved from `from` to `to`; from 0, `to` as it is afterwards. */
export function placeBefore(from: number, to: number): number {
  return to > from ? to : to - 1;
}

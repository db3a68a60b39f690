/**
 * The place of a photo is a text key between its neighbors (fractional indexing): adding
 * and moving touch one row. A batch owns one whole number of that order; its photos are behind
 * it by capture time (rule 28).
 */
import { BASE_62_DIGITS, generateKeyBetween } from 'fractional-indexing';

const SMALL_A = 'a'.charCodeAt(0);
const CAPITAL_Z = 'Z'.charCodeAt(0);

/** The whole number that a key begins with: its head tells how long it is. */
function wholeNumberOf(key: string): string {
  const head = key.charCodeAt(0);
  const length = head >= SMALL_A ? head - SMALL_A + 2 : CAPITAL_Z - head + 2;
  return key.slice(0, length);
}

/** A whole number before every key of the gallery. `first` is the smallest key, null in an empty gallery. */
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

export type BatchMember = {
  /** When it was taken; the time of its claim until that is known. */
  takenAt: Date;
  /** File name: its number tells pictures of the same second apart, as cameras count. */
  name: string;
  photoId: number;
};

/** The key of a photo within its batch: a valid key between the batch's number and the next. */
export function keyInBatch(prefix: string, { takenAt, name, photoId }: BatchMember): string {
  const time = fixedWidth(takenAt.getTime() - YEAR_ONE_MS, TIME_DIGITS);
  const number = fixedWidth(lastNumberIn(name), NUMBER_DIGITS);
  return `${prefix}${time}${number}${fixedWidth(photoId, ID_DIGITS)}${END}`;
}

function lastNumberIn(name: string): number {
  return Number(/(\d{1,9})\D*$/.exec(name)?.[1] ?? 0);
}

/** Base 62 in so many digits; what does not fit becomes the nearest that does. */
function fixedWidth(value: number, digits: number): string {
  let rest = Math.min(Math.max(0, Math.floor(value)), 62 ** digits - 1);
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    text = BASE_62_DIGITS.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * Hints about pictures: which look alike, and which are blurry. Never decisions; the numbers come from ingest (dHash,
 * sharpness).
 */

/** Of 64 bits: pictures of the same moment differ in few of them. */
export const MOST_BITS_APART = 6;
/**
 * Measured over pictures of phones, cameras and our own: sharp ones had 164 and more, blurred by 1.5 points of 640 mostly 60
 * and less.
 */
export const SOFT_BELOW = 60;

export function isSoft(sharpness: number | null): boolean {
  return sharpness !== null && sharpness < SOFT_BELOW;
}

/** A picture of one color looks like every other one, so it gets no hint. */
const UNIFORM_HASHES = new Set(['0000000000000000', 'ffffffffffffffff']);

type Hashed = { id: number; dhash: string };

/**
 * For each of some photos the most similar one of all; photos without one are missing. Two 32-bit numbers per hash: 60 photos
 * against 20,000 take some milliseconds.
 * @param dhash 16 hex digits
 */
export function similarOf<Other extends Hashed>(some: readonly Hashed[], all: readonly Other[]): Map<number, Other> {
  const halves = new Int32Array(all.length * 2);
  for (const [place, { dhash }] of all.entries()) [halves[place * 2], halves[place * 2 + 1]] = halvesOf(dhash);
  const found = new Map<number, Other>();
  for (const { id, dhash } of some) {
    if (UNIFORM_HASHES.has(dhash)) continue;
    const [high, low] = halvesOf(dhash);
    let best = MOST_BITS_APART + 1;
    for (let place = 0; place < all.length; place++) {
      const bits = bitsOf(high ^ (halves[place * 2] ?? 0)) + bitsOf(low ^ (halves[place * 2 + 1] ?? 0));
      if (bits >= best) continue;
      const other = all[place];
      if (!other || other.id === id) continue;
      best = bits;
      found.set(id, other);
    }
  }
  return found;
}

function halvesOf(dhash: string): [number, number] {
  return [Number.parseInt(dhash.slice(0, 8), 16) | 0, Number.parseInt(dhash.slice(8), 16) | 0];
}

/** How many bits of 32 are set. */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

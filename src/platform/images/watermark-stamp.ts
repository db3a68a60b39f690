/**
 * A stamp is one copy of a watermark: only the pixels that it covers, so that drawing it over raw pixels costs time for
 * these and not for the whole picture.
 */
export type Stamp = {
  width: number;
  height: number;
  /** Where the entries of each row begin; `height + 1` numbers. */
  rows: Int32Array;
  /** Column of each entry. */
  columns: Int16Array;
  /** How much of the picture each entry leaves, in 256ths. */
  keeps: Int16Array;
  /** What it adds to red, green and blue, in 256ths, with the half for rounding; three per entry. */
  adds: Uint16Array;
  placement: StampPlacement;
};

/**
 * Positions of copies: on a grid over the whole picture (the steps from one copy to the next, in pixels), three across
 * the picture from its upper left to its lower right, or one in the middle.
 */
export type StampPlacement =
  | { kind: 'lattice'; right: [number, number]; down: [number, number] }
  | { kind: 'three' }
  | { kind: 'middle' };

/** Opacity of an uploaded watermark (specification). */
export const MARK_OPACITY = 0.3;

/** In 256ths of opacity: less is invisible, but each entry costs time and, in the JPEG, bytes. */
const FAINTEST = 10;

/** A picture as bytes: three per pixel, no padding. */
export type RawPicture = { data: Buffer; width: number; height: number };

/** A watermark as planes, row by row: opacity in 256ths, one per pixel, and colors, three per pixel. */
export type MarkPlanes = { width: number; height: number; levels: Uint16Array; colors: Uint8Array };

/** Makes a stamp from planes; invisible pixels are left out. */
export function stampOf({ width, height, levels, colors }: MarkPlanes, placement: StampPlacement): Stamp {
  const entries = levels.reduce((sum, level) => (level < FAINTEST ? sum : sum + 1), 0);
  const rows = new Int32Array(height + 1);
  const columns = new Int16Array(entries);
  const keeps = new Int16Array(entries);
  const adds = new Uint16Array(entries * 3);
  let entry = 0;
  for (let at = 0; at < width * height; at++) {
    if (at % width === 0) rows[at / width] = entry;
    const level = levels[at] as number;
    if (level < FAINTEST) continue;
    columns[entry] = at % width;
    keeps[entry] = 256 - level;
    for (const channel of [0, 1, 2]) adds[entry * 3 + channel] = (colors[at * 3 + channel] as number) * level + 128;
    entry += 1;
  }
  rows[height] = entry;
  return { width, height, rows, columns, keeps, adds, placement };
}

/**
 * Draws the stamp over the picture, in place. `seed` (two numbers from 0 to 1) shifts the copies: a watermark that is at
 * the same position in many pictures could be computed from them and subtracted.
 */
export function stampOver(picture: RawPicture, stamp: Stamp, seed: readonly [number, number]): void {
  for (const [left, top] of placesOf(picture, stamp, seed)) lay(picture, stamp, left, top);
}

type Size = { width: number; height: number };

function placesOf(picture: Size, stamp: Stamp, seed: readonly [number, number]): Iterable<[number, number]> {
  const { placement } = stamp;
  if (placement.kind === 'lattice') return latticePlaces(picture, stamp, placement, seed);
  const [left, top] = [(picture.width - stamp.width) / 2, (picture.height - stamp.height) / 2];
  if (placement.kind === 'middle') return [[Math.round(left), Math.round(top)]];
  return threePlaces(picture, { left, top }, seed);
}

/** How far the seed may shift a copy, as a fraction of the side, and the minimum distance of two copies. */
const MOVED = 0.1;
const APART = 0.2;

/** Three positions on the diagonal that crosses the slanted line, so that any crop contains a copy. */
function threePlaces(
  { width, height }: Size,
  middle: { left: number; top: number },
  seed: readonly [number, number],
): [number, number][] {
  const stepX = Math.max(middle.left * 0.9, width * APART);
  const stepY = Math.max(middle.top * 0.9, height * APART);
  const left = middle.left + (seed[0] - 0.5) * width * MOVED;
  const top = middle.top + (seed[1] - 0.5) * height * MOVED;
  return [-1, 0, 1].map((step) => [Math.round(left + step * stepX), Math.round(top + step * stepY)]);
}

/** Every grid position where the stamp overlaps the picture. */
function* latticePlaces(
  picture: Size,
  stamp: Size,
  { right, down }: Extract<StampPlacement, { kind: 'lattice' }>,
  seed: readonly [number, number],
): Generator<[number, number]> {
  const originX = Math.round(seed[0] * right[0] + seed[1] * down[0]);
  const originY = Math.round(seed[0] * right[1] + seed[1] * down[1]);
  // How far the grid must extend to cover the farthest corner, whatever its slant.
  const reach =
    picture.width + picture.height + stamp.width + stamp.height + Math.hypot(...right) + Math.hypot(...down);
  const steps = Math.ceil(reach / Math.min(Math.hypot(...right), Math.hypot(...down)));
  for (let i = -steps; i <= steps; i++) {
    for (let j = -steps; j <= steps; j++) {
      const left = originX + i * right[0] + j * down[0];
      const top = originY + i * right[1] + j * down[1];
      if (left + stamp.width <= 0 || left >= picture.width || top + stamp.height <= 0 || top >= picture.height)
        continue;
      yield [left, top];
    }
  }
}

/**
 * The inner loop of ingest: every access is a plain typed-array access, and copies completely inside the picture need
 * no check per pixel.
 */
function lay({ data, width, height }: RawPicture, stamp: Stamp, left: number, top: number): void {
  const { rows, columns, keeps, adds } = stamp;
  const cut = left < 0 || left + stamp.width > width;
  for (let y = Math.max(0, -top); y < stamp.height && top + y < height; y++) {
    const line = (top + y) * width + left;
    const end = rows[y + 1] as number;
    for (let entry = rows[y] as number; entry < end; entry++) {
      const x = columns[entry] as number;
      if (cut && (left + x < 0 || left + x >= width)) continue;
      const keep = keeps[entry] as number;
      const at = (line + x) * 3;
      const add = entry * 3;
      data[at] = ((data[at] as number) * keep + (adds[add] as number)) >> 8;
      data[at + 1] = ((data[at + 1] as number) * keep + (adds[add + 1] as number)) >> 8;
      data[at + 2] = ((data[at + 2] as number) * keep + (adds[add + 2] as number)) >> 8;
    }
  }
}

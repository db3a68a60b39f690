/**
 * The rows of a grid of thousands of photos, computed at once, so that only visible ones are rendered. It replaces the layout of
 * photo-grid.css. Rows are filled, never cropped; phones have two photos in a row.
 */
import { phoneShares } from '#src/ui/photos/photo-rows.ts';

/** What the layout needs of a photo. `ratio`: width / height; null while unknown. */
export type Cell = { id: number; ratio: number | null };

type GridBox = { left: number; top: number; width: number; height: number };
type GridRow = { start: number; end: number; top: number; height: number };
/** In pixels from the top left corner. `ratios`: of each photo. */
export type GridLayout = { rows: readonly GridRow[]; height: number; ratios: readonly number[]; gutter: number };

type GridShape = { width: number; gutter: number; rowHeight: number; isPhone: boolean };

/** Of a photo that is still being processed. */
export const UNKNOWN_RATIO = 1.5;

/** Computed again for each thousand photos that are loaded, so it makes no object for each photo. A ratio of null is 3:2. */
export function layGrid(given: readonly (number | null)[], shape: GridShape): GridLayout {
  const ratios = given.map((ratio) => ratio ?? UNKNOWN_RATIO);
  const rows: GridRow[] = [];
  let [start, top] = [0, 0];
  for (const { end, share } of shape.isPhone ? phoneEnds(ratios) : wideEnds(ratios, shape)) {
    let sum = 0;
    for (let index = start; index < end; index++) sum += ratios[index] ?? 0;
    const full = (shape.width * share - shape.gutter * (end - start - 1)) / sum;
    // The last row on a wide screen keeps its own height instead of being enlarged.
    const height = end === ratios.length && !shape.isPhone ? Math.min(full, shape.rowHeight) : full;
    rows.push({ start, end, top, height });
    top += height + shape.gutter;
    start = end;
  }
  return { rows, height: Math.max(0, top - shape.gutter), ratios, gutter: shape.gutter };
}

/** Of one photo; null if there is none. */
export function boxOf({ rows, ratios, gutter }: GridLayout, index: number): GridBox | null {
  const row = rows[rowOf(rows, index)];
  const ratio = ratios[index];
  if (!row || ratio === undefined) return null;
  let left = 0;
  for (let before = row.start; before < index; before++) left += (ratios[before] ?? 0) * row.height + gutter;
  return { left, top: row.top, width: ratio * row.height, height: row.height };
}

type RowEnd = { end: number; share: number };

/** A row gets photos while they fit at the wanted height; then it grows until it is full. */
function wideEnds(ratios: readonly number[], { width, gutter, rowHeight }: GridShape): RowEnd[] {
  const ends: RowEnd[] = [];
  let used = 0;
  for (let index = 0; index < ratios.length; index++) {
    const wanted = (ratios[index] ?? 0) * rowHeight;
    if (used > 0 && used + gutter + wanted > width) {
      ends.push({ end: index, share: 1 });
      used = wanted;
    } else used += used > 0 ? gutter + wanted : wanted;
  }
  return ratios.length === 0 ? [] : [...ends, { end: ratios.length, share: 1 }];
}

function phoneEnds(ratios: readonly number[]): RowEnd[] {
  const ends: RowEnd[] = [];
  for (const [index, share] of phoneShares(ratios).entries()) {
    const open = ends.at(-1);
    // The second of a pair completes the row that the first began.
    if (open && open.share < 1 && isPair(open.share + share)) ends[ends.length - 1] = { end: index + 1, share: 1 };
    else ends.push({ end: index + 1, share });
  }
  return ends;
}

const isPair = (sum: number) => Math.abs(sum - 1) < 0.000_5;

/** First and last row (exclusive) that touch a range of the grid. */
export function rowsBetween(rows: readonly GridRow[], top: number, bottom: number): { first: number; last: number } {
  const first = search(rows, (row) => row.top + row.height > top);
  return {
    first,
    last: Math.max(
      first,
      search(rows, (row) => row.top >= bottom),
    ),
  };
}

/** The row of a photo. */
const rowOf = (rows: readonly GridRow[], index: number): number => search(rows, ({ end }) => end > index);

/** The first row from which on this is true. */
function search(rows: readonly GridRow[], isThere: (row: GridRow) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row && isThere(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The photo above or below another one, the nearest by their middles; null beyond the edge. */
export function besideInGrid(layout: GridLayout, index: number, way: 'up' | 'down'): number | null {
  const next = layout.rows[rowOf(layout.rows, index) + (way === 'up' ? -1 : 1)];
  if (!boxOf(layout, index) || !next) return null;
  const middle = middleOf(layout, index);
  const distance = (other: number) => Math.abs(middleOf(layout, other) - middle);
  let best = next.start;
  for (let other = next.start; other < next.end; other++) if (distance(other) < distance(best)) best = other;
  return best;
}

function middleOf(layout: GridLayout, index: number): number {
  const { left = 0, width = 0 } = boxOf(layout, index) ?? {};
  return left + width / 2;
}

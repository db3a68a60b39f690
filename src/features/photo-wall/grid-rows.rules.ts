/**
 * The position of each photo in a grid, computed for thousands at once, so that only visible ones are rendered. It replaces the
 * layout of photo-grid.css. Rows are filled, never cropped; phones have two photos in a row.
 */
import { phoneShares } from '#src/ui/photos/photo-rows.ts';

/** What the layout needs of a photo. `ratio`: width / height; null while unknown. */
export type Cell = { id: number; ratio: number | null };

type GridBox = { left: number; top: number; width: number; height: number };
type GridRow = { start: number; end: number; top: number; height: number };
export type GridLayout = { boxes: readonly GridBox[]; rows: readonly GridRow[]; height: number };

type GridShape = { width: number; gutter: number; rowHeight: number; isPhone: boolean };

/** Of a photo that is still being processed. */
export const UNKNOWN_RATIO = 1.5;

/** Boxes and rows from the top left corner, in pixels. A ratio of null is 3:2. */
export function layGrid(ratios: readonly (number | null)[], shape: GridShape): GridLayout {
  const known = ratios.map((ratio) => ratio ?? UNKNOWN_RATIO);
  const ends = shape.isPhone ? phoneEnds(known) : wideEnds(known, shape);
  const boxes: GridBox[] = [];
  const rows: GridRow[] = [];
  let [start, top] = [0, 0];
  for (const { end, share } of ends) {
    const inRow = known.slice(start, end);
    const space = shape.width * share - shape.gutter * (inRow.length - 1);
    const full = space / inRow.reduce((sum, ratio) => sum + ratio, 0);
    // The last row on a wide screen keeps its own height instead of being enlarged.
    const height = end === known.length && !shape.isPhone ? Math.min(full, shape.rowHeight) : full;
    let left = 0;
    for (const ratio of inRow) {
      boxes.push({ left, top, width: ratio * height, height });
      left += ratio * height + shape.gutter;
    }
    rows.push({ start, end, top, height });
    top += height + shape.gutter;
    start = end;
  }
  return { boxes, rows, height: Math.max(0, top - shape.gutter) };
}

type RowEnd = { end: number; share: number };

/** A row gets photos while they fit at the wanted height; then it grows until it is full. */
function wideEnds(ratios: readonly number[], { width, gutter, rowHeight }: GridShape): RowEnd[] {
  const ends: RowEnd[] = [];
  let used = 0;
  for (const [index, ratio] of ratios.entries()) {
    const wanted = ratio * rowHeight;
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
export function besideInGrid({ boxes, rows }: GridLayout, index: number, way: 'up' | 'down'): number | null {
  const here = boxes[index];
  const row = rows.findIndex(({ start, end }) => start <= index && index < end);
  const next = rows[way === 'up' ? row - 1 : row + 1];
  if (!here || !next) return null;
  const middle = here.left + here.width / 2;
  let best = next.start;
  for (let other = next.start; other < next.end; other++) {
    const distance = (at: number) => Math.abs((boxes[at]?.left ?? 0) + (boxes[at]?.width ?? 0) / 2 - middle);
    if (distance(other) < distance(best)) best = other;
  }
  return best;
}

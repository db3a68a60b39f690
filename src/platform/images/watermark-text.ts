import { penFor, layOutText, type TextBlock, type TextShape } from '#src/platform/images/text-layout.ts';
import { stampOf, type MarkPlanes, type Stamp } from '#src/platform/images/watermark-stamp.ts';
import type { MarkPlacement, MarkStrength } from '#src/platform/images/images.ts';

/** One line; a longer name ends in dots, because its letters would be too small on a tile. */
const ONE_LINE: TextShape = { lineLetters: 34, maxLines: 1, align: 'middle' };
/**
 * The fraction of the picture's own diagonal angle, rising to the right: no straight crop and no row or column filter
 * removes it.
 */
const SLANT_PART = 0.65;
/** Maximum height of a capital, as a fraction of the short side, and the fraction of both sides that the line may take. */
const SIZES: Record<MarkPlacement, { capital: number; part: number }> = {
  tiled: { capital: 0.13, part: 0.8 },
  centred: { capital: 0.17, part: 0.86 },
};
/**
 * Opacity of the white pen and of the soft dark edge around it (rule 57), and half the pen's width on the grid of the
 * letters, where a capital is 10.
 */
const STRENGTHS: Record<MarkStrength, { white: number; dark: number; pen: number }> = {
  light: { white: 0.15, dark: 0.09, pen: 0.45 },
  normal: { white: 0.22, dark: 0.12, pen: 0.5 },
  strong: { white: 0.36, dark: 0.2, pen: 0.65 },
};
const EDGE = 0.7;
/** One step of the letters' grid in pixels, on a tile of about 640 px. */
const TILE_SCALE = 3.5;

type TextMark = { text: string; placement: MarkPlacement; strength: MarkStrength };

/** The text as one thin slanted line for pictures of this size: three copies across it ("tiled"), or a larger one in the middle. */
export function textStamp({ text, placement, strength }: TextMark, picture: { width: number; height: number }): Stamp {
  const block = layOutText(text, ONE_LINE);
  const slant = -Math.atan2(picture.height, picture.width) * SLANT_PART;
  const scale = scaleOf(block, picture, slant, SIZES[placement]);
  return stampOf(inkedBlock(block, scale, slant, strength), { kind: placement === 'tiled' ? 'three' : 'middle' });
}

function scaleOf(
  block: TextBlock,
  { width, height }: { width: number; height: number },
  slant: number,
  { capital, part }: { capital: number; part: number },
): number {
  const [cos, sin] = [Math.cos(slant), Math.abs(Math.sin(slant))];
  const across = (block.width * cos + block.height * sin) / (width * part);
  const down = (block.width * sin + block.height * cos) / (height * part);
  return Math.max(0.4, Math.min((Math.min(width, height) * capital) / 10, 1 / Math.max(across, down)));
}

/** A line that is thin on a tile would be too thick on a large picture: above that size it grows more slowly than the letters. */
function thickness(scale: number): number {
  return scale <= TILE_SCALE ? scale : TILE_SCALE + (scale - TILE_SCALE) * 0.3;
}

function inkedBlock(block: TextBlock, scale: number, slant: number, strength: MarkStrength): MarkPlanes {
  const ink = STRENGTHS[strength];
  const thick = thickness(scale);
  const pen = penFor(Math.max(ink.pen * thick, 0.6), scale);
  const edge = Math.max(EDGE * thick, 0.9);
  const lines = turned(block, scale, slant);
  const reach = pen + edge + 1;
  const box = boundsOf(lines, reach);
  const squares = squaredDistances(lines, box, reach);
  fillInside(squares, lines, box);
  return inked(box, squares, { ...ink, pen, edge });
}

type Ink = { white: number; dark: number; pen: number; edge: number };

/** White along the pen's path, and a dark edge that fades with the distance from it. */
function inked({ width, height }: Box, squares: Float32Array, { white, dark, pen, edge }: Ink): MarkPlanes {
  const levels = new Uint16Array(squares.length);
  const colors = new Uint8Array(squares.length * 3);
  for (let at = 0; at < squares.length; at++) {
    const square = squares[at] as number;
    if (square === Infinity) continue;
    const away = Math.sqrt(square) - pen;
    const penned = Math.min(1, Math.max(0, 0.5 - away));
    const light = penned * white;
    const shade = (1 - penned) * Math.min(1, Math.max(0, 1 - away / edge)) * dark;
    levels[at] = Math.round(256 * (light + shade));
    colors.fill(Math.round((255 * light) / (light + shade || 1)), at * 3, at * 3 + 3);
  }
  return { width, height, levels, colors };
}

function turned(block: TextBlock, scale: number, slant: number): number[][] {
  const cos = Math.cos(slant) * scale;
  const sin = Math.sin(slant) * scale;
  return block.outlines.map((outline) => {
    const points: number[] = [];
    for (let i = 0; i + 1 < outline.length; i += 2) {
      const [x, y] = [outline[i] ?? 0, outline[i + 1] ?? 0];
      points.push(x * cos - y * sin, x * sin + y * cos);
    }
    return points;
  });
}

type Box = { left: number; top: number; width: number; height: number };

/** The pixels that lines may touch, with a margin around them. */
function boundsOf(lines: number[][], margin: number): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines) {
    for (let i = 0; i + 1 < line.length; i += 2) {
      left = Math.min(left, line[i] ?? 0);
      right = Math.max(right, line[i] ?? 0);
      top = Math.min(top, line[i + 1] ?? 0);
      bottom = Math.max(bottom, line[i + 1] ?? 0);
    }
  }
  left = Math.floor(left - margin);
  top = Math.floor(top - margin);
  return { left, top, width: Math.ceil(right + margin) - left + 1, height: Math.ceil(bottom + margin) - top + 1 };
}

/** Squared distance from each pixel of the box to the nearest line; Infinity beyond `reach`. */
function squaredDistances(lines: number[][], box: Box, reach: number): Float32Array {
  const squares = new Float32Array(box.width * box.height).fill(Infinity);
  for (const line of lines) {
    for (let i = 0; i + 3 < line.length; i += 2) {
      const [ax, ay, bx, by] = [line[i] ?? 0, line[i + 1] ?? 0, line[i + 2] ?? 0, line[i + 3] ?? 0];
      spread(squares, box, reach, ax - box.left, ay - box.top, bx - box.left, by - box.top);
    }
  }
  return squares;
}

function spread(squares: Float32Array, box: Box, reach: number, ax: number, ay: number, bx: number, by: number): void {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy || 1e-9;
  const firstX = Math.max(0, Math.floor(Math.min(ax, bx) - reach));
  const lastX = Math.min(box.width - 1, Math.ceil(Math.max(ax, bx) + reach));
  const lastY = Math.min(box.height - 1, Math.ceil(Math.max(ay, by) + reach));
  for (let y = Math.max(0, Math.floor(Math.min(ay, by) - reach)); y <= lastY; y++) {
    for (let x = firstX; x <= lastX; x++) {
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
      const awayX = x - ax - t * dx;
      const awayY = y - ay - t * dy;
      const square = awayX * awayX + awayY * awayY;
      const at = y * box.width + x;
      if (square < (squares[at] as number)) squares[at] = square;
    }
  }
}

/** Sets the distance of the pixels inside closed lines (even-odd rule) to 0. */
function fillInside(squares: Float32Array, lines: number[][], { left, top, width, height }: Box): void {
  const crossings = Array.from({ length: height }, (): number[] => []);
  for (const line of lines) {
    for (let i = 0; i + 3 < line.length; i += 2) {
      const [ax, ay, bx, by] = [line[i] ?? 0, line[i + 1] ?? 0, line[i + 2] ?? 0, line[i + 3] ?? 0];
      for (let y = Math.ceil(Math.min(ay, by)); y < Math.max(ay, by); y++)
        crossings[y - top]?.push(ax + ((y - ay) / (by - ay)) * (bx - ax) - left);
    }
  }
  for (const [y, row] of crossings.entries()) {
    row.sort((one, other) => one - other);
    for (let i = 0; i + 1 < row.length; i += 2)
      squares.fill(0, y * width + Math.ceil(row[i] ?? 0), y * width + Math.floor(row[i + 1] ?? 0) + 1);
  }
}

import { layOutText, type TextBlock } from '#src/platform/images/watermark-lines.ts';
import { MARK_OPACITY, stampOf, type MarkPlanes, type Stamp } from '#src/platform/images/watermark-stamp.ts';

/** Rising to the right, so that no straight crop and no row or column filter takes it away. */
const SLANT = (-24 * Math.PI) / 180;
/** Part of the long side that a capital is high: at most this, less where the name is long. */
const CAPITAL = 0.044;
const SMALLEST_CAPITAL = 0.026;
/** Part of the long side that a block of text may be wide before its letters shrink. */
const BLOCK_WIDTH = 0.5;
/** A centred text: part of both sides that it may take, and the height of its capitals at most, of the long side. */
const CENTRED_PART = 0.84;
const CENTRED_CAPITAL = 0.13;
/** On the grid of the letters (a capital is 10): half the pen, and the soft dark edge around it. */
const PEN = 0.85;
const EDGE = 0.7;
/** Between two copies, in heights of a capital. */
const GAP_RIGHT = 2.2;
const GAP_DOWN = 1.9;

/** The organisation's name as a stamp for a picture whose long side is `longSide` pixels, tiled. */
export function textStamp(text: string, longSide: number): Stamp {
  const block = layOutText(text);
  const capital =
    longSide * Math.max(SMALLEST_CAPITAL, Math.min(CAPITAL, (BLOCK_WIDTH * 10) / Math.max(block.width, 1)));
  const scale = Math.max(capital, 4) / 10;
  return stampOf(inkedBlock(block, scale), latticeOf(block, scale));
}

/** The same once, in the middle, as large as fits into the picture. */
export function centredTextStamp(text: string, picture: { width: number; height: number }): Stamp {
  const block = layOutText(text);
  const cos = Math.cos(SLANT);
  const sin = Math.abs(Math.sin(SLANT));
  const across = (block.width * cos + block.height * sin) / (picture.width * CENTRED_PART);
  const down = (block.width * sin + block.height * cos) / (picture.height * CENTRED_PART);
  const largest = (Math.max(picture.width, picture.height) * CENTRED_CAPITAL) / 10;
  return stampOf(inkedBlock(block, Math.max(0.4, Math.min(largest, 1 / Math.max(across, down)))), null);
}

function inkedBlock(block: TextBlock, scale: number): MarkPlanes {
  const lines = turned(block, scale);
  const reach = (PEN + EDGE) * scale + 1;
  const box = boundsOf(lines, reach);
  const pen = Math.max(PEN * scale, 0.6);
  const edge = Math.max(EDGE * scale, 0.9);
  return inked(box, squaredDistances(lines, box, reach), pen, edge);
}

/** White where the pen went, and a dark edge that fades with the distance from it. */
function inked({ width, height }: Box, squares: Float32Array, pen: number, edge: number): MarkPlanes {
  const levels = new Uint16Array(squares.length);
  const colours = new Uint8Array(squares.length * 3);
  for (let at = 0; at < squares.length; at++) {
    const square = squares[at] as number;
    if (square === Infinity) continue;
    const away = Math.sqrt(square) - pen;
    const white = Math.min(1, Math.max(0, 0.5 - away));
    const dark = (1 - white) * Math.min(1, Math.max(0, 1 - away / edge));
    levels[at] = Math.round(MARK_OPACITY * 256 * (white + dark));
    colours.fill(Math.round((255 * white) / (white + dark || 1)), at * 3, at * 3 + 3);
  }
  return { width, height, levels, colours };
}

/** Rows stand off by a third of a step, so that copies never stand in columns. */
function latticeOf(block: TextBlock, scale: number): NonNullable<Stamp['lattice']> {
  const right = (block.width + GAP_RIGHT * 10) * scale;
  const down = (block.height + GAP_DOWN * 10) * scale;
  const turn = (x: number, y: number): [number, number] => [
    Math.round(x * Math.cos(SLANT) - y * Math.sin(SLANT)),
    Math.round(x * Math.sin(SLANT) + y * Math.cos(SLANT)),
  ];
  return { right: turn(right, 0), down: turn(right / 3, down) };
}

function turned(block: TextBlock, scale: number): number[][] {
  const cos = Math.cos(SLANT) * scale;
  const sin = Math.sin(SLANT) * scale;
  return block.strokes.map((stroke) => {
    const points: number[] = [];
    for (let i = 0; i + 1 < stroke.length; i += 2) {
      const [x, y] = [stroke[i] ?? 0, stroke[i + 1] ?? 0];
      points.push(x * cos - y * sin, x * sin + y * cos);
    }
    return points;
  });
}

export type Box = { left: number; top: number; width: number; height: number };

/** The pixels that lines may touch, with a margin around them. */
export function boundsOf(lines: number[][], margin: number): Box {
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

/** Squared distance from each pixel of the box to the nearest stroke; Infinity beyond `reach`. */
export function squaredDistances(lines: number[][], box: Box, reach: number): Float32Array {
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

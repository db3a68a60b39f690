import { ALIKE, DRAWN, MARKS } from '#src/platform/images/letters.ts';

/** One glyph: its width and its strokes as polylines `[x0, y0, x1, y1, …]` on the grid of `letters.ts`. */
export type Glyph = { width: number; strokes: number[][] };

const lookalikes = new Map(ALIKE.flatMap(pairs));

/** The glyph of one character in capitals, or null where the alphabet has none. */
export function glyphOf(character: string): Glyph | null {
  const key = lookalikes.get(character) ?? character;
  const drawing = Object.hasOwn(DRAWN, key) ? DRAWN[key] : undefined;
  if (drawing === undefined) return null;
  const [width, ...strokes] = drawing.split('|');
  return { width: Number(width), strokes: strokes.map(strokePoints) };
}

/** The strokes of a combining mark, to be moved to the middle of its letter, or null. */
export function markStrokes(character: string): number[][] | null {
  const drawing = Object.hasOwn(MARKS, character) ? MARKS[character] : undefined;
  return drawing === undefined ? null : drawing.split('|').map(strokePoints);
}

function strokePoints(stroke: string): number[] {
  const kind = stroke[0];
  const points = (kind === '~' || kind === '@' ? stroke.slice(1) : stroke).split(/[ ,]/).map(Number);
  if (kind === '~') return smooth(points, false);
  return kind === '@' ? smooth(points, true) : points;
}

/** Catmull-Rom through the points, five pieces between two of them. */
function smooth(points: number[], closed: boolean): number[] {
  const count = points.length / 2;
  const at = (i: number, axis: number): number => {
    const index = closed ? (i + count) % count : Math.min(count - 1, Math.max(0, i));
    return points[index * 2 + axis] ?? 0;
  };
  const line: number[] = [at(0, 0), at(0, 1)];
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    for (let step = 1; step <= 5; step++) {
      for (const axis of [0, 1])
        line.push(between(at(i - 1, axis), at(i, axis), at(i + 1, axis), at(i + 2, axis), step / 5));
    }
  }
  return line;
}

function between(a: number, b: number, c: number, d: number, t: number): number {
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
}

function pairs(text: string): [string, string][] {
  const letters = [...text];
  return letters.flatMap((letter, at) => (at % 2 === 0 ? [[letter, letters[at + 1] ?? ''] as [string, string]] : []));
}

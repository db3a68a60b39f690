/** Block letters of our own, drawn as strokes, so that no picture depends on the fonts of a machine. */
import { smoothstep } from './vector.ts';

/** Each glyph: strokes of two-digit points, x 0..4 and y 0..6 upwards. */
const glyphs: Readonly<Record<string, string>> = {
  '0': '10 30 41 45 36 16 05 01 10',
  '1': '05 26 20|10 30',
  '2': '05 16 36 45 44 01 00 40',
  '3': '05 16 36 45 44 33 13|33 42 41 30 10 01',
  '4': '30 36 02 42',
  '5': '46 06 03 33 42 41 30 10 01',
  '6': '45 36 16 05 01 10 30 41 42 33 03',
  '7': '06 46 45 20',
  '8': '13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33',
  '9': '01 10 30 41 45 36 16 05 04 13 43',
  A: '00 05 16 36 45 40|03 43',
  B: '00 06 36 45 44 33 03|33 42 41 30 00',
  C: '41 30 10 01 05 16 36 45',
  D: '00 06 36 45 41 30 00',
  E: '40 00 06 46|03 33',
  F: '00 06 46|03 33',
  G: '45 36 16 05 01 10 30 41 43 23',
  H: '00 06|40 46|03 43',
  I: '10 30|20 26|16 36',
  J: '01 10 30 41 46',
  K: '00 06|46 13 40',
  L: '06 00 40',
  M: '00 06 23 46 40',
  N: '00 06 40 46',
  O: '10 30 41 45 36 16 05 01 10',
  P: '00 06 36 45 44 33 03',
  Q: '10 30 41 45 36 16 05 01 10|22 40',
  R: '00 06 36 45 44 33 03|23 40',
  S: '01 10 30 41 42 33 13 04 05 16 36 45',
  T: '06 46|26 20',
  U: '06 01 10 30 41 46',
  V: '06 20 46',
  W: '06 10 24 30 46',
  X: '00 46|06 40',
  Y: '06 23 46|23 20',
  Z: '06 46 00 40',
  '-': '13 33',
  ':': '22 22|24 24',
  '!': '26 22|20 20',
  '&': '40 05 16 25 01 10 42',
  "'": '26 25',
};

type Stroke = readonly [number, number, number, number];
const strokes = new Map<string, readonly Stroke[]>();
for (const [glyph, drawing] of Object.entries(glyphs)) {
  const all: Stroke[] = [];
  for (const line of drawing.split('|')) {
    const points = line.split(' ').map((p): readonly [number, number] => [Number(p[0]) / 6, Number(p[1]) / 6]);
    points.forEach((to, i) => {
      const from = points[i - 1];
      if (from) all.push([from[0], from[1], to[0], to[1]]);
    });
  }
  strokes.set(glyph, all);
}

/** Width of one glyph and the gap after it, in heights of a letter. */
const advance = 0.93;
const halfStroke = 0.088;

/** Width of `text` in heights of a letter. */
export const widthOf = (text: string): number => text.length * advance - (advance - 0.667);

/**
 * How much of the point (x, y) is covered by `text`, 0..1. The text starts at x = 0, is 1 high and stands on y = 0;
 * `sharpness` 1 is crisp cloth print, lower is softer.
 */
export function lettering(text: string, x: number, y: number, sharpness: number): number {
  if (y < -0.15 || y > 1.15 || x < -0.15 || x > text.length * advance) return 0;
  const soft = 0.02 / sharpness;
  const at = Math.floor((x + 0.1) / advance);
  const glyph = strokes.get(text[at] ?? ' ');
  if (!glyph) return 0;
  const gx = x - at * advance;
  let nearest = 9;
  for (const [ax, ay, bx, by] of glyph) {
    const dx = bx - ax;
    const dy = by - ay;
    const length = dx * dx + dy * dy;
    const k = length > 0 ? Math.max(0, Math.min(1, ((gx - ax) * dx + (y - ay) * dy) / length)) : 0;
    const ox = gx - ax - dx * k;
    const oy = y - ay - dy * k;
    const d = ox * ox + oy * oy;
    if (d < nearest) nearest = d;
  }
  return smoothstep(halfStroke + soft, halfStroke - soft, Math.sqrt(nearest));
}

/**
 * Outlines of letters, from the files of the Inter typeface (weight 100) that npm installs: the picture process can use no
 * other fonts, because a bare machine has none and every decoder but JPEG and PNG is switched off (decision record 0045).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
// oxlint-disable-next-line import/default -- Node loads the CommonJS build, which has one
import opentype, { type Font } from 'opentype.js';

/** Each file has the letters of one group of languages; the ones used most come first, because a file is parsed when it is needed. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext'];
/** Height of a capital on the grid of `Glyph`. */
export const CAPITAL = 10;
/** Half of the width of a stem on that grid. */
const HALF_STEM = 0.155;
/** How far a straight piece may be from the curve that it replaces. */
const TOLERANCE = 0.05;

/** `outlines` are polylines `[x0, y0, x1, y1, …]` that end where they begin; y is 0 at the top of a capital and 10 on the base line. */
export type Glyph = { width: number; outlines: number[][] };

/**
 * The pen for filled outlines that are drawn `scale` times as large: it goes along the outline and makes each stem
 * `halfWidth` pixels wide on both sides of its middle.
 */
export const penFor = (halfWidth: number, scale: number): number => halfWidth - HALF_STEM * scale;

type Subset = { bytes: Buffer; font: Font | null };

let subsets: readonly Subset[] | null = null;
const glyphs = new Map<string, Glyph>();

/** Reads the font files. A process that gives up its rights calls it before that; otherwise the first glyph does. */
export function readFontFiles(): readonly Subset[] {
  const require = createRequire(import.meta.url);
  subsets ??= SUBSETS.map((subset) => ({
    bytes: readFileSync(require.resolve(`@fontsource/inter/files/inter-${subset}-100-normal.woff`)),
    font: null,
  }));
  return subsets;
}

/** The glyph of one character, or null if no file has it. */
export function glyphOf(character: string): Glyph | null {
  const known = glyphs.get(character);
  if (known) return known;
  const font = fontWith(character);
  if (!font) return null;
  const glyph = readGlyph(font, character);
  glyphs.set(character, glyph);
  return glyph;
}

function fontWith(character: string): Font | null {
  for (const subset of readFontFiles()) {
    subset.font ??= opentype.parse(new Uint8Array(subset.bytes).buffer);
    if (subset.font.hasChar(character)) return subset.font;
  }
  return null;
}

function readGlyph(font: Font, character: string): Glyph {
  const { advanceWidth = 0, path } = font.charToGlyph(character);
  const scale = CAPITAL / Number(font.tables['os2']?.['sCapHeight']);
  const outlines: number[][] = [];
  let [x, y] = [0, 0];
  for (const command of path.commands) {
    if (command.type === 'Z') continue;
    const [endX, endY] = [command.x * scale, CAPITAL - command.y * scale];
    if (command.type === 'M') outlines.push([endX, endY]);
    else if (command.type === 'Q')
      outlines.at(-1)?.push(...curve([x, y, command.x1 * scale, CAPITAL - command.y1 * scale, endX, endY]));
    else if (endX !== x || endY !== y) outlines.at(-1)?.push(endX, endY);
    [x, y] = [endX, endY];
  }
  return { width: advanceWidth * scale, outlines };
}

/** The points after the first of a quadratic curve, as many as its bend needs. */
function curve([x0, y0, x1, y1, x2, y2]: [number, number, number, number, number, number]): number[] {
  const bend = Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2) / 4;
  const steps = Math.max(1, Math.ceil(Math.sqrt(bend / TOLERANCE)));
  return Array.from({ length: steps }, (_, index) => {
    const t = (index + 1) / steps;
    const [before, between, after] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [before * x0 + between * x1 + after * x2, before * y0 + between * y1 + after * y2];
  }).flat();
}

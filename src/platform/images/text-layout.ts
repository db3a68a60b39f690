/**
 * Text as outlines, from the files of the Inter typeface (weight 100) that npm installs: the picture process can use no
 * other fonts, because a bare machine has none and every decoder but JPEG and PNG is disabled (decision record 0045).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
// oxlint-disable-next-line import/default -- Node loads the CommonJS build, which has one
import opentype, { type Font } from 'opentype.js';

/** Drawn if no character of a name can be drawn (a name all in Chinese, for example), so that every picture is marked. */
const FALLBACK = 'SIDELINE';
const MAX_LETTERS = 48;
/** Grid units; a capital is 10 high. */
const WORD_GAP = 3;
const LINE_HEIGHT = 17;

/** A block of text as polylines on a grid whose capitals are 10 high, with its origin in the middle. */
export type TextBlock = { width: number; height: number; outlines: number[][] };

export type TextShape = {
  /** Letters of a line before a new one begins. */
  lineLetters: number;
  maxLines: number;
  align: 'middle' | 'left';
};
const MARK_SHAPE: TextShape = { lineLetters: 14, maxLines: 3, align: 'middle' };

/** `solid`: a letter or a digit. */
type Letter = Glyph & { solid: boolean };
type Word = Letter[];

/**
 * Sets a name in capitals on a few lines. Never throws: characters that the fonts lack are left out, and if fewer than
 * two characters (of a longer name) remain, the fallback is drawn.
 */
export function layOutText(text: string, shape: TextShape = MARK_SHAPE): TextBlock {
  const words = drawableWords(text);
  const drawn = words.flat().filter((letter) => letter.solid).length;
  const given = [...text.matchAll(LETTERS)].length;
  const enough = drawn >= 2 || (drawn === 1 && given === 1);
  return setLines(breakLines(enough ? words : drawableWords(FALLBACK), shape), shape.align);
}

/** The text if the fonts have every letter and digit of it, otherwise `fallback` (a domain name; rule 57). */
export function textToDraw(text: string, fallback: string | undefined): string {
  const letters = [...normalized(text).matchAll(LETTERS)];
  const isWhole = letters.length > 0 && letters.every(([letter]) => glyphOrBase(letter));
  return isWhole || fallback === undefined ? text : fallback;
}

const LETTERS = /[\p{L}\p{N}]/gu;
/** Capitals, accents composed with their letters, full-width and ligature forms as plain letters, and no hyphen but one. */
const normalized = (text: string) =>
  text.slice(0, 200).normalize('NFKC').toUpperCase().normalize('NFKC').replaceAll('\u2010', '-');

function drawableWords(text: string): Word[] {
  return normalized(text)
    .split(/[\s\p{C}]+/u)
    .map(lettersOf)
    .filter((word) => word.length > 0);
}

function lettersOf(word: string): Word {
  return [...word].flatMap((character) => {
    const glyph = glyphOrBase(character);
    return glyph ? [{ ...glyph, solid: /[\p{L}\p{N}]/u.test(character) }] : [];
  });
}

/** An accented letter that no font has is drawn without its accents. */
function glyphOrBase(character: string): Glyph | null {
  const [base = ''] = character.normalize('NFD');
  return glyphOf(character) ?? glyphOf(base);
}

/** Breaks words into lines; a word that is too long for a line is cut into pieces. */
function breakLines(words: Word[], { lineLetters, maxLines }: TextShape): Word[][] {
  const pieces = words.flatMap((word) => chunks(word, lineLetters + 4));
  const lines: Word[][] = [[]];
  let letters = 0;
  for (const piece of pieces) {
    const line = lines.at(-1) ?? [];
    const fits = line.length === 0 || line.flat().length + line.length + piece.length <= lineLetters;
    if (letters + piece.length > MAX_LETTERS || (!fits && lines.length === maxLines)) return withEllipsis(lines);
    if (fits) line.push(piece);
    else lines.push([piece]);
    letters += piece.length;
  }
  return lines;
}

function withEllipsis(lines: Word[][]): Word[][] {
  const dots = glyphOf('…');
  if (dots) lines.at(-1)?.push([{ ...dots, solid: false }]);
  return lines;
}

function chunks(word: Word, size: number): Word[] {
  return Array.from({ length: Math.ceil(word.length / size) }, (_, at) => word.slice(at * size, (at + 1) * size));
}

function setLines(lines: Word[][], align: TextShape['align']): TextBlock {
  const widths = lines.map(lineWidth);
  const width = Math.max(...widths);
  const height = (lines.length - 1) * LINE_HEIGHT + CAPITAL;
  const outlines = lines.flatMap((line, at) => {
    const left = align === 'left' ? -width / 2 : -(widths[at] ?? 0) / 2;
    return setLine(line, left, at * LINE_HEIGHT - height / 2);
  });
  return { width, height, outlines };
}

function wordWidth(word: Word): number {
  return word.reduce((sum, letter) => sum + letter.width, 0);
}

function lineWidth(line: Word[]): number {
  return line.reduce((sum, word) => sum + wordWidth(word), 0) + (line.length - 1) * WORD_GAP;
}

function setLine(line: Word[], left: number, top: number): number[][] {
  const outlines: number[][] = [];
  let x = left;
  for (const word of line) {
    for (const letter of word) {
      for (const outline of letter.outlines)
        outlines.push(outline.map((value, index) => value + (index % 2 === 0 ? x : top)));
      x += letter.width;
    }
    x += WORD_GAP;
  }
  return outlines;
}

/**
 * Each file contains the characters of one group of languages; the most frequent ones come first, because a file is
 * parsed when it is needed.
 */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext'];
/** Height of a capital on the grid of `Glyph`. */
const CAPITAL = 10;
/** Half of the width of a stem on that grid. */
const HALF_STEM = 0.155;
/** The maximum distance of a straight piece from the curve that it replaces. */
const TOLERANCE = 0.05;

/** `outlines` are polylines `[x0, y0, x1, y1, …]` that end where they begin; y is 0 at the top of a capital and 10 on the base line. */
type Glyph = { width: number; outlines: number[][] };

/**
 * The pen for filled outlines that are drawn `scale` times as large: it follows the outline and makes each stem
 * `halfWidth` pixels wide on both sides of its middle.
 */
export const penFor = (halfWidth: number, scale: number): number => halfWidth - HALF_STEM * scale;

type Subset = { bytes: Buffer; font: Font | null };

let subsets: readonly Subset[] | null = null;
const glyphs = new Map<string, Glyph>();

/** Reads the font files. A process that drops its rights calls it first; otherwise the first glyph does. */
export function readFontFiles(): readonly Subset[] {
  const require = createRequire(import.meta.url);
  subsets ??= SUBSETS.map((subset) => ({
    bytes: readFileSync(require.resolve(`@fontsource/inter/files/inter-${subset}-100-normal.woff`)),
    font: null,
  }));
  return subsets;
}

/** The glyph of one character, or null if no file has it. */
function glyphOf(character: string): Glyph | null {
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

/** The points after the first of a quadratic curve, as many as its curvature needs. */
function curve([x0, y0, x1, y1, x2, y2]: [number, number, number, number, number, number]): number[] {
  const bend = Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2) / 4;
  const steps = Math.max(1, Math.ceil(Math.sqrt(bend / TOLERANCE)));
  return Array.from({ length: steps }, (_, index) => {
    const t = (index + 1) / steps;
    const [before, between, after] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [before * x0 + between * x1 + after * x2, before * y0 + between * y1 + after * y2];
  }).flat();
}

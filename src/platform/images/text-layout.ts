import { CAPITAL, glyphOf, type Glyph } from '#src/platform/images/glyph-outlines.ts';

/** Drawn where nothing of a name can be drawn (a name all in Chinese, say), so that every picture is marked. */
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
 * Sets a name in capitals on a few lines. Never throws: characters that the fonts lack are left out, and where less than two
 * letters (of a longer name) remain the fallback word is set.
 */
export function layOutText(text: string, shape: TextShape = MARK_SHAPE): TextBlock {
  const words = drawableWords(text);
  const drawn = words.flat().filter((letter) => letter.solid).length;
  const given = [...text.matchAll(LETTERS)].length;
  const enough = drawn >= 2 || (drawn === 1 && given === 1);
  return setLines(breakLines(enough ? words : drawableWords(FALLBACK), shape), shape.align);
}

/** The text if the fonts have every letter and digit of it, else `fallback` (a domain name; rule 57). */
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

/** Words to lines; a word that is too long for a line is cut into pieces. */
function breakLines(words: Word[], { lineLetters, maxLines }: TextShape): Word[][] {
  const pieces = words.flatMap((word) => chunks(word, lineLetters + 4));
  const lines: Word[][] = [[]];
  let letters = 0;
  for (const piece of pieces) {
    const line = lines.at(-1) ?? [];
    const room = line.length === 0 || line.flat().length + line.length + piece.length <= lineLetters;
    if (letters + piece.length > MAX_LETTERS || (!room && lines.length === maxLines)) return withEllipsis(lines);
    if (room) line.push(piece);
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

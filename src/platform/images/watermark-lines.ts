import { glyphOf, markStrokes } from '#src/platform/images/glyphs.ts';

/** Drawn where nothing of a name can be drawn (a name all in Chinese, say): the picture is never left bare. */
const FALLBACK = 'SIDELINE';
const MAX_LETTERS = 48;
/** Grid units; a capital is 10 high, the pen 1.7 wide. */
const LETTER_GAP = 3;
const WORD_GAP = 6;
const LINE_HEIGHT = 17;

/** A block of text as polylines on a grid whose capitals are 10 high, with its origin in the middle. */
export type TextBlock = { width: number; height: number; strokes: number[][] };

export type TextShape = {
  /** Letters of a line before a new one begins. */
  lineLetters: number;
  maxLines: number;
  align: 'middle' | 'left';
};
const MARK_SHAPE: TextShape = { lineLetters: 14, maxLines: 3, align: 'middle' };

/** One letter with the marks above and below it. */
type Letter = { width: number; strokes: number[][]; solid: boolean };
type Word = Letter[];

/**
 * Sets a name in capitals on a few lines. Never throws: what the alphabet
 * lacks is left out, and where less than two letters (of a longer name) remain
 * the fallback word is set.
 */
export function layOutText(text: string, shape: TextShape = MARK_SHAPE): TextBlock {
  const words = drawableWords(text);
  const drawn = words.flat().filter((letter) => letter.solid).length;
  const asked = lettersAsked(text);
  const enough = drawn >= 2 || (drawn === 1 && asked === 1);
  return setLines(breakLines(enough ? words : drawableWords(FALLBACK), shape), shape.align);
}

/** The text where the alphabet has every letter and digit of it, else `fallback` (a domain name; decision 57). */
export function textToDraw(text: string, fallback: string | undefined): string {
  const asked = lettersAsked(text);
  const isWhole = asked > 0 && [...normalized(text).matchAll(/[\p{L}\p{N}]/gu)].every(([letter]) => glyphOf(letter));
  return isWhole || fallback === undefined ? text : fallback;
}

const lettersAsked = (text: string) => [...text.matchAll(/[\p{L}\p{N}]/gu)].length;
const normalized = (text: string) => text.slice(0, 200).toUpperCase().normalize('NFKD').toUpperCase();

function drawableWords(text: string): Word[] {
  return normalized(text)
    .split(/[\s\p{C}]+/u)
    .map(lettersOf)
    .filter((word) => word.length > 0);
}

function lettersOf(word: string): Word {
  const letters: Word = [];
  for (const character of word) {
    const glyph = glyphOf(character);
    const last = letters.at(-1);
    if (glyph) letters.push({ ...glyph, solid: /[\p{L}\p{N}]/u.test(character) });
    else if (last) addMark(last, character);
  }
  return letters;
}

function addMark(letter: Letter, character: string): void {
  for (const stroke of markStrokes(character) ?? []) {
    letter.strokes.push(stroke.map((value, at) => (at % 2 === 0 ? value + letter.width / 2 : value)));
  }
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
  const height = (lines.length - 1) * LINE_HEIGHT + 10;
  const strokes = lines.flatMap((line, at) => {
    const left = align === 'left' ? -width / 2 : -(widths[at] ?? 0) / 2;
    return setLine(line, left, at * LINE_HEIGHT - height / 2);
  });
  return { width, height, strokes };
}

function wordWidth(word: Word): number {
  return word.reduce((sum, letter) => sum + letter.width, 0) + (word.length - 1) * LETTER_GAP;
}

function lineWidth(line: Word[]): number {
  return line.reduce((sum, word) => sum + wordWidth(word), 0) + (line.length - 1) * WORD_GAP;
}

function setLine(line: Word[], left: number, top: number): number[][] {
  const strokes: number[][] = [];
  let x = left;
  for (const word of line) {
    for (const letter of word) {
      for (const stroke of letter.strokes) strokes.push(stroke.map((value, at) => value + (at % 2 === 0 ? x : top)));
      x += letter.width + LETTER_GAP;
    }
    x += WORD_GAP - LETTER_GAP;
  }
  return strokes;
}

/** The layout of the printed card: US letter, points of 1/72 inch, from the bottom left. */
import { FALLBACK_NAME } from '#src/features/sharing/qr-card.contract.ts';

export const PAGE = { width: 612, height: 792 } as const;
export const MARGIN = 54;
export const TEXT_WIDTH = PAGE.width - 2 * MARGIN;
/** Side of the code without its quiet zone: about 4.4 inches, readable from two meters. */
export const CODE_SIDE = 316;
/** Modules of white around a code (ISO/IEC 18004). */
export const QUIET_MODULES = 4;

type Measure = (text: string, size: number) => number;

const MARKS = /\p{M}/gu;

/**
 * The text in letters that the font has: others lose their accents or, if that does not help, are left out.
 * @returns the fallback if nothing readable remains
 */
export function printable(text: string, has: (codePoint: number) => boolean, fallback = FALLBACK_NAME): string {
  const drawn = (letters: string) => [...letters].filter((letter) => has(letter.codePointAt(0) ?? 0)).join('');
  const kept = [...text.normalize('NFC').replaceAll(/\s+/gu, ' ')]
    .map((letter) => drawn(letter) || drawn(letter.normalize('NFKD').replaceAll(MARKS, '')))
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(kept) ? kept : fallback;
}

/** Lines of at most `width`; a word that is too long for a line is broken. */
export function wrapText(text: string, { width, size, measure }: { width: number; size: number; measure: Measure }) {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const letter of word) {
      if (line !== '' && measure(line + letter, size) > width) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return line === '' ? lines : [...lines, line];
}

type Size = { width: number; height: number };

/** The largest size of a picture that fits into a box, keeping its proportions. */
export function within({ width, height }: Size, most: Size): Size {
  const scale = Math.min(most.width / width, most.height / height);
  return { width: width * scale, height: height * scale };
}

export type Fitted = { lines: string[]; size: number };

const STEP = 8;

/**
 * The largest size at which the text fits the number of lines, with lines of similar length; at the smallest size the rest is
 * cut off.
 */
export function fitText(
  text: string,
  { sizes, lines: most, measure }: { sizes: readonly number[]; lines: number; measure: Measure },
): Fitted {
  const wrapped = (size: number, width: number) => wrapText(text, { width, size, measure });
  const size = sizes.find((each) => wrapped(each, TEXT_WIDTH).length <= most) ?? sizes.at(-1) ?? 0;
  let lines = wrapped(size, TEXT_WIDTH);
  if (lines.length > most) {
    const shown = lines.slice(0, most);
    return { size, lines: [...shown.slice(0, -1), `${shown.at(-1)?.slice(0, -1) ?? ''}…`] };
  }
  for (let width = TEXT_WIDTH - STEP; width > TEXT_WIDTH / 3; width -= STEP) {
    const narrower = wrapped(size, width);
    if (narrower.length > lines.length) break;
    lines = narrower;
  }
  return { size, lines };
}

/** A code as one path, one unit per module, from the top left; adjacent dark modules become one bar. */
export function codePath({ size, isDark }: { size: number; isDark: (row: number, column: number) => boolean }): string {
  const bars: string[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue;
      let end = column + 1;
      while (end < size && isDark(row, end)) end++;
      bars.push(`M${column} ${row}H${end}V${row + 1}H${column}Z`);
      column = end;
    }
  }
  return bars.join('');
}

/** Red, green and blue from 0 to 1. */
type Rgb = readonly [number, number, number];

/** The accent as printed; our own if it is not a valid color. */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  const parts = Number.isFinite(value) ? [value >> 16, value >> 8, value] : [0x00, 0x99, 0xcc];
  return parts.map((part) => (part & 0xff) / 255) as [number, number, number];
}

/** The address on the card, for people who type it: without the scheme. */
export function readableAddress(address: string): string {
  return address.replace(/^https?:\/\//, '');
}

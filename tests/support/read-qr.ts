/**
 * Reads a QR code from its modules, as a phone does after it has found them (ISO/IEC 18004): format, mask, path through
 * the matrix, blocks, and text. Byte mode, versions 1 to 40; damaged codes are not fixed.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The tables of the standard: blocks and error correction words by version and level, positions of the alignment squares. */
const tables = {
  corrections: require('qrcode/lib/core/error-correction-code') as {
    getBlocksCount: (version: number, level: object) => number;
    getTotalCodewordsCount: (version: number, level: object) => number;
  },
  levels: require('qrcode/lib/core/error-correction-level') as Record<'L' | 'M' | 'Q' | 'H', { bit: number }>,
  squares: require('qrcode/lib/core/alignment-pattern') as { getPositions: (version: number) => [number, number][] },
};

export type DarkAt = (row: number, column: number) => boolean;

export type ReadCode = { text: string; level: 'L' | 'M' | 'Q' | 'H'; version: number };

export function readQr(size: number, isDark: DarkAt): ReadCode {
  const version = (size - 17) / 4;
  const { level, mask } = readFormat(isDark);
  const words = readWords(size, version, (row, column) => isDark(row, column) !== isMasked(mask, row, column));
  return { level, version, text: readText(untangle(words, version, level), version) };
}

function readFormat(isDark: DarkAt): { level: ReadCode['level']; mask: number } {
  const places = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((column): [number, number] => [8, column]),
    ...[7, 5, 4, 3, 2, 1, 0].map((row): [number, number] => [row, 8]),
  ];
  const bits = places.reduce((all, [row, column]) => (all << 1) | Number(isDark(row, column)), 0) ^ 0x5412;
  const level = (['L', 'M', 'Q', 'H'] as const).find((name) => tables.levels[name].bit === bits >> 13);
  if (!level) throw new Error('the format of the code is damaged');
  return { level, mask: (bits >> 10) & 7 };
}

function isMasked(mask: number, row: number, column: number): boolean {
  const product = row * column;
  const rules = [
    (row + column) % 2,
    row % 2,
    column % 3,
    (row + column) % 3,
    (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
    (product % 2) + (product % 3),
    ((product % 2) + (product % 3)) % 2,
    (((row + column) % 2) + (product % 3)) % 2,
  ];
  return rules[mask] === 0;
}

/** Whether a module belongs to the code's own patterns. */
function isMark(size: number, version: number, row: number, column: number): boolean {
  const inCorner = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9);
  const onLine = row === 6 || column === 6;
  const inVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
  const inSquare = tables.squares
    .getPositions(version)
    .some(([top, left]) => Math.abs(top - row) <= 2 && Math.abs(left - column) <= 2);
  return inCorner || onLine || inVersion || inSquare;
}

function readWords(size: number, version: number, bitAt: DarkAt): number[] {
  const bits: boolean[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (!isMark(size, version, row, column)) bits.push(bitAt(row, column));
    }
    isUp = !isUp;
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((word, bit) => word * 2 + Number(bit), 0),
  );
}

/** The data words in their own order: blocks are interleaved in the matrix. */
function untangle(words: readonly number[], version: number, level: ReadCode['level']): number[] {
  const blocks = tables.corrections.getBlocksCount(version, tables.levels[level]);
  const data = words.length - tables.corrections.getTotalCodewordsCount(version, tables.levels[level]);
  const short = Math.floor(data / blocks);
  const longFrom = blocks - (data % blocks);
  const parts: number[][] = Array.from({ length: blocks }, () => []);
  let at = 0;
  for (let turn = 0; turn <= short; turn++)
    for (let block = turn === short ? longFrom : 0; block < blocks; block++) parts[block]?.push(words[at++] ?? 0);
  return parts.flat();
}

function readText(words: readonly number[], version: number): string {
  const bits = words.map((word) => word.toString(2).padStart(8, '0')).join('');
  if (bits.slice(0, 4) !== '0100') throw new Error(`the code is not in bytes but in mode ${bits.slice(0, 4)}`);
  const lengthBits = version < 10 ? 8 : 16;
  const start = 4 + lengthBits;
  const length = Number.parseInt(bits.slice(4, start), 2);
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(bits.slice(start + index * 8, start + index * 8 + 8), 2),
  );
  return Buffer.from(bytes).toString('utf8');
}

/**
 * Reads a CSV file of any program, record by record: any encoding, delimiter and line ends. Hostile files cost little:
 * only one record is in memory, and the reader may stop at any record.
 */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { createTurns } from '#src/platform/turns.ts';
import { formatCount } from '#src/shared/counted.ts';

/** `row` counts records as a spreadsheet does: blank lines count, line ends within quotes do not. */
export type CsvRecord = { row: number; cells: string[] };

/** The file is not CSV; `message` says where, in a sentence for people. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
}

/** Longer than any account or gallery needs, in characters. */
const MAX_RECORD = 65_536;
export const MAX_COLUMNS = 200;
/** Blank ones included: a file of line ends only would otherwise keep a process busy for minutes. */
const MAX_RECORDS = 50_000;
/** Bytes per turn of the event loop: a millisecond of work or two, even if every second byte ends a line. */
const PIECE_BYTES = 4_096;
const DELIMITERS = [',', ';', '\t'] as const;

/** @throws UnreadableCsv */
export async function* readCsv(file: Uint8Array): AsyncGenerator<CsvRecord> {
  const encoding = encodingOf(file);
  const bytes = encoding.startsWith('utf-16') ? file : withoutLastLineEnds(file);
  const parser = parse({
    delimiter: delimiterOf(bytes, encoding),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    bom: false,
  });
  const pieces = Readable.from(piecesOf(bytes, encoding));
  pieces.once('error', (error) => parser.destroy(error));
  pieces.pipe(parser);
  const turn = createTurns();
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      if (row > MAX_RECORDS) throw new UnreadableCsv(`This file has more than ${formatCount(MAX_RECORDS)} lines.`);
      if (cells.length > MAX_COLUMNS) throw new UnreadableCsv(`Row ${row} has ${formatCount(cells.length)} columns.`);
      yield { row, cells };
      await turn();
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    pieces.destroy();
    parser.destroy();
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * By its byte-order mark, the position of zeros, or whether it is valid UTF-8; otherwise the Windows encoding of
 * Western languages.
 */
function encodingOf(bytes: Uint8Array): Encoding {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 4096);
  const zeros = { even: 0, odd: 0 };
  start.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd'] += 1;
  });
  const many = start.length / 4;
  if (zeros.odd > many && zeros.even === 0) return 'utf-16le';
  if (zeros.even > many && zeros.odd === 0) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** Empty lines at the end are skipped; row numbers stay the same. */
function withoutLastLineEnds(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1;
  return bytes.subarray(0, end);
}

async function* piecesOf(bytes: Uint8Array, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= bytes.length;
    const piece = decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast });
    if (piece.includes('\0')) throw new UnreadableCsv('This file is not a text file.');
    if (piece !== '') yield piece;
    await nextTurn();
  }
}

/** The most frequent one in the first line, outside quotes; a comma if there is none. */
function delimiterOf(bytes: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, MAX_RECORD));
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const sign of text.trimStart()) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break;
    else if (!isQuoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return DELIMITERS.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best));
}

function unreadable(error: unknown): unknown {
  if (error instanceof UnreadableCsv) return error;
  // Text that ends in the middle of a character.
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new UnreadableCsv('This file is not a text file.');
  if (!(error instanceof CsvError)) return error;
  // The parser's own count: records that it had read before may not have been taken from it yet.
  const row = Number(error['records']) + 1;
  return new UnreadableCsv(SENTENCES[error.code]?.(row) ?? `Row ${row} cannot be read.`);
}

const SENTENCES: Partial<Record<string, (row: number) => string>> = {
  CSV_QUOTE_NOT_CLOSED: (row) => `From row ${row} on, a quotation mark is opened and never closed.`,
  CSV_INVALID_CLOSING_QUOTE: (row) => `Row ${row} has a misplaced quotation mark.`,
  INVALID_OPENING_QUOTE: (row) => `Row ${row} has a misplaced quotation mark.`,
  CSV_MAX_RECORD_SIZE: (row) => `Row ${row} is longer than any account or gallery needs.`,
};

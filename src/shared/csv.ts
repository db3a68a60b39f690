/** CSV for spreadsheets: RFC 4180, UTF-8 with a byte-order mark, and nothing in it that a spreadsheet would execute (rule 38). */
import type { Cents } from '#src/shared/money.ts';

/** Text comes from people and is escaped; amounts and counts are ours, and stay numbers. */
export type CsvCell = string | number | { cents: Cents };

/** A file begins with the byte-order mark, so that spreadsheets read UTF-8. */
export const CSV_MARK = '\uFEFF';
/** Characters with which a spreadsheet begins a formula, or may (threat 56). */
const FORMULA = /^[=+\-@\t\r\n\0]/;

/** "1234.50", without currency sign and thousands separators, and without float arithmetic. */
function plainDollars(amount: Cents): string {
  const whole = Math.abs(amount);
  return `${amount < 0 ? '-' : ''}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

function textOf(cell: CsvCell): string {
  // Our own numbers contain nothing that must be escaped.
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return plainDollars(cell.cents);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text.includes('"') ? text.replaceAll('"', '""') : text;
}

/** One line with its end, all cells in quotes. */
export function csvLine(cells: readonly CsvCell[]): string {
  let line = '';
  for (const cell of cells) line += line === '' ? `"${textOf(cell)}"` : `,"${textOf(cell)}"`;
  return `${line}\r\n`;
}

/** The address of a link that saves the file, with or without a script. */
export const csvAddress = (text: string): string => `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;

/** The file in chunks, one for each page of rows. */
export async function* csvChunks<Row>(
  head: readonly string[],
  pages: AsyncIterable<readonly Row[]>,
  cellsOf: (row: Row) => readonly CsvCell[],
): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(head);
  for await (const rows of pages) yield rows.map((row) => csvLine(cellsOf(row))).join('');
}

/** The whole file; `rows` without their header. */
export function writeCsv(head: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  let text = CSV_MARK + csvLine(head);
  for (const row of rows) text += csvLine(row);
  return text;
}

/**
 * Turns an upload into rows with named cells, or a message that says why not. Only the server reads files: the page
 * shows what was found here, so that browser and server never disagree.
 */
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkRows, ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import * as rules from '#src/features/bulk-imports/csv-columns.rules.ts';
import { MAX_COLUMNS, readCsv, UnreadableCsv, type CsvRecord } from '#src/platform/csv/read-csv.ts';
import { formatCount } from '#src/shared/counted.ts';
import { fieldProblem, type Problem } from '#src/shared/problem.ts';

export type Source = { fileName: string } & ({ bytes: Uint8Array } | { rows: BulkRows['rows'] });
/** `problems` are those of the row as a line of the file. */
export type ReadRow = { row: number; cells: rules.Cells; problems: string[] };
type ReadFile = { rows: ReadRow[]; notices: string[] };

/** @throws invalid with the specification's message for `file` */
export async function readSource(kind: ImportKind, source: Source): Promise<ReadFile> {
  const planOf = (headers: string[]) => {
    const found = rules.planColumns(kind, headers);
    if ('error' in found) throw fileProblem(found.error);
    return found;
  };
  const { head: plan, records, notices } = await readRecords(source, planOf);
  const rows = records.map(({ row, cells }) => ({
    row,
    cells: rules.cellsOf(kind, plan, cells),
    problems: rules.isTooWide(plan, cells) ? [words.MORE_CELLS_THAN_HEADERS] : [],
  }));
  return { rows, notices: [...plan.notices, ...notices] };
}

/** A refusal of the whole file. */
export function fileProblem(...sentences: [string, ...string[]]): Problem {
  return fieldProblem({ file: sentences });
}

/**
 * The lines of a file: `head` is what `readHead` makes of the first, before the others are read.
 * @throws invalid with a sentence under `file`
 */
export async function readRecords<Head>(source: Source, readHead: (cells: string[]) => Head) {
  let head: { read: Head } | null = null;
  const records: CsvRecord[] = [];
  const empty: number[] = [];
  try {
    for await (const record of 'bytes' in source ? readCsv(source.bytes) : recordsOf(source.rows)) {
      if (rules.isBlank(record.cells)) {
        // A completely empty line is ignored; one with only commas may have lost something.
        if (head !== null && record.cells.length > 1) empty.push(record.row);
      } else if (head === null) head = { read: readHead(record.cells) };
      else if (records.length === words.MAX_ROWS) throw fileProblem(words.TOO_MANY_ROWS);
      else records.push(record);
    }
  } catch (error) {
    throw error instanceof UnreadableCsv ? fileProblem(words.CSV_NOT_PARSED, error.message) : error;
  }
  if (head === null || records.length === 0) throw fileProblem(words.NO_VALID_ROWS);
  return { head: head.read, records, notices: empty.length > 0 ? [words.emptyRows(empty)] : [] };
}

/** Rows from a program, as a file would have them; the header is row 1. */
function* recordsOf(rows: BulkRows['rows']): Iterable<CsvRecord> {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // Each row is as wide as all of them together.
  if (headers.length > MAX_COLUMNS) throw new UnreadableCsv(`These rows have ${formatCount(headers.length)} columns.`);
  yield { row: 1, cells: headers };
  for (const [index, row] of rows.entries())
    yield { row: index + 2, cells: headers.map((header) => textOf(Object.hasOwn(row, header) ? row[header] : null)) };
}

function textOf(value: string | number | boolean | null | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null || value === undefined ? '' : String(value);
}

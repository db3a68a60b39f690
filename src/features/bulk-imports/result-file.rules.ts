/**
 * The file that tells the outcome of each row. It begins with the columns of the file that came in, without passwords, so that
 * rows can be fixed in it and uploaded again.
 */
import type { ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { COLUMNS, type Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';

type ResultRow = {
  row: number;
  result: string | null;
  messages: readonly string[];
  madeId: number | null;
  madeUserId: number | null;
  cells: Cells | null;
};

export async function* resultFile(
  kind: ImportKind,
  rowsAfter: (row: number) => Promise<readonly ResultRow[]>,
): AsyncGenerator<string> {
  const columns = COLUMNS[kind].all.filter((name) => name !== 'password');
  yield CSV_MARK + csvLine([...columns, 'row', 'result', 'id', 'errors']);
  for (let rows = await rowsAfter(0); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.row ?? Infinity))
    yield rows
      .map((row) =>
        csvLine([
          ...columns.map((name) => row.cells?.[name] ?? ''),
          row.row,
          row.result ?? 'waiting',
          (kind === 'users' ? row.madeUserId : row.madeId) ?? '',
          row.messages.join(' · '),
        ]),
      )
      .join('');
}

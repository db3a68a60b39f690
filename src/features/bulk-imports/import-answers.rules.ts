/** Imports as responses of the API and data of the pages. */
import {
  bulkAnswer,
  NAME_DELETED,
  PREVIEW_ROWS,
  type BulkAnswer,
  type BulkRowAnswer,
  type ImportKind,
} from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { FILE_NAME_ERASED } from '#src/features/erasures/erasures.contract.ts';
import { COLUMNS, RESULT_COLUMNS, type Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import type { PlannedRow } from '#src/features/bulk-imports/row-results.rules.ts';
import { counted } from '#src/shared/counted.ts';
import { csvChunks } from '#src/shared/csv.ts';
import { present } from '#src/shared/field-names.ts';
import { slugOf } from '#src/shared/slug.ts';

type Made = { madeId: number | null; madeUserId: number | null };
/** An account is identified by its user, a gallery by itself. */
const idOf = (kind: ImportKind, made: Made | null) => (kind === 'users' ? made?.madeUserId : made?.madeId) ?? null;

export function checkedRows(kind: ImportKind, rows: readonly PlannedRow[]): BulkRowAnswer[] {
  return rows.map(({ row, result, messages, made }) => ({ row, result, errors: messages, id: idOf(kind, made) }));
}

/** New accounts without a password get an invitation to choose one. */
const invitationsOf = (kind: ImportKind, rows: readonly PlannedRow[]): number =>
  kind === 'users' ? rows.filter(({ result, password }) => result === 'created' && password === null).length : 0;

/** A dry run: what would happen. */
export function checkedAnswer(
  kind: ImportKind,
  fileName: string,
  file: { rows: readonly PlannedRow[]; notices: string[] },
): BulkAnswer {
  return {
    ...checkedFacts(file.rows),
    kind,
    file_name: fileName,
    started_by: null,
    notices: file.notices,
    invitations: invitationsOf(kind, file.rows),
    rows: checkedRows(kind, file.rows),
  };
}

/** Common to every dry run: the number of rows by result, and the first valid ones. */
export function checkedFacts(rows: readonly { row: number; result: string; cells: Cells }[]) {
  const count = (result: string) => rows.filter((row) => row.result === result).length;
  return {
    import_id: null,
    status: 'checked' as const,
    started_at: null,
    total: rows.length,
    created: count('created'),
    skipped: count('skipped'),
    failed: count('failed'),
    waiting: 0,
    preview: rows
      .filter(({ result }) => result !== 'failed')
      .slice(0, PREVIEW_ROWS)
      .map(({ row, cells }) => ({ row, cells })),
  };
}

export type ImportRecord = {
  id: number;
  kind: ImportKind;
  fileName: string;
  status: 'running' | 'finished' | 'stopped';
  rowCount: number;
  startedAt: Date;
  startedBy: string;
};
export type RowRecord = Made & {
  row: number;
  result: 'created' | 'skipped' | 'failed' | null;
  messages: string[];
  cells: Cells | null;
};

export function answerOf(
  found: ImportRecord,
  counts: { created: number; skipped: number; failed: number } | undefined,
  rows: readonly RowRecord[],
): BulkAnswer {
  const { created = 0, skipped = 0, failed = 0 } = counts ?? {};
  return present(bulkAnswer, {
    ...found,
    importId: found.id,
    total: found.rowCount,
    created,
    skipped,
    failed,
    waiting: found.rowCount - created - skipped - failed,
    notices: [],
    invitations: null,
    preview: [],
    rows: rows.map((row) => ({
      row: row.row,
      result: row.result ?? ('waiting' as const),
      errors: row.messages,
      id: idOf(found.kind, row),
    })),
  });
}

export function resultFile(kind: ImportKind, pages: AsyncIterable<readonly RowRecord[]>) {
  const columns = COLUMNS[kind].all.filter((name) => name !== 'password');
  return resultLines(columns, pages, (row) => idOf(kind, row));
}

/** Named after the uploaded file, which may itself be a file of failed rows. */
export function resultFileName({ id, sent }: { id: number; sent: string }, result?: 'failed'): string {
  const isForgotten = sent === NAME_DELETED || sent === FILE_NAME_ERASED;
  const name =
    (!isForgotten && slugOf(sent.replace(/\.csv$/i, '')).replace(/-(results|failed-rows)$/, '')) || `import-${id}`;
  return `${name}-${result === 'failed' ? 'failed-rows' : 'results'}`;
}

/** A file, in chunks: the contents of each row, if still stored, and its result. */
export function resultLines<Row extends Omit<RowRecord, keyof Made | 'result'> & { result: string | null }>(
  columns: readonly string[],
  pages: AsyncIterable<readonly Row[]>,
  idOfRow: (row: Row) => number | null,
): AsyncGenerator<string> {
  return csvChunks([...columns, ...RESULT_COLUMNS], pages, (row) => [
    ...columns.map((name) => row.cells?.[name] ?? ''),
    row.row,
    row.result ?? 'waiting',
    idOfRow(row) ?? '',
    row.messages.join(' · '),
  ]);
}

/** Singular and plural. */
export const THINGS: Record<ImportKind, readonly [string, string]> = {
  users: ['account', 'accounts'],
  galleries: ['gallery', 'galleries'],
};

/** Who gets an invitation; null if no one does. */
export const invitationWords = (count: number | null): string | null =>
  count === null || count === 0
    ? null
    : `${counted(count, 'person', 'people')} without a password in the file will get an invitation by email.`;

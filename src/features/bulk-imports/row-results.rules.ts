/** What an import will do with each row, once everything was looked up. */
import type { Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';

export type PlannedRow = {
  row: number;
  /** `created` is still to be done. */
  result: 'created' | 'skipped' | 'failed';
  messages: string[];
  /** Without the password. */
  cells: Cells;
  password: string | null;
  /** Recognizes the row in a later file. */
  mac: Buffer;
  organizationId: number | null;
  /** What an earlier import made of it. */
  made: { madeId: number; madeUserId: number | null } | null;
};

/** What an earlier import made of a row, by the row's mark. */
export type MadeRows = ReadonlyMap<string, { madeId: number; madeUserId: number | null }>;

/** Rows to be made that say exactly what a row before them says. */
export function equalRowsOf(planned: readonly PlannedRow[]): number[] {
  const seen = new Set<string>();
  const equal: number[] = [];
  for (const { row, result, cells, password } of planned) {
    if (result === 'failed') continue;
    const text = JSON.stringify([cells, password]);
    if (result === 'created' && seen.has(text)) equal.push(row);
    seen.add(text);
  }
  return equal;
}

export function withoutPassword({ password: _password, ...cells }: Cells): Cells {
  return cells;
}

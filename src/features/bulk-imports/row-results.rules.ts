/** What an import will do with each row, after all look-ups. */
import type { Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';

export type PlannedRow = {
  row: number;
  /** `created` is still to be done. */
  result: 'created' | 'skipped' | 'failed';
  messages: string[];
  /** Without the password. */
  cells: Cells;
  password: string | null;
  /** Identifies the row in a later file. */
  mac: Buffer;
  organizationId: number | null;
  /** What an earlier import created from it. */
  made: { madeId: number; madeUserId: number | null } | null;
};

/** Rows to create that are equal to an earlier row. */
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

/** Roster imports as the API and pages show them. */
import { checkedFacts, resultLines } from '#src/features/bulk-imports/import-answers.rules.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import type { PlannedRow } from '#src/features/roster-imports/plan-roster.rules.ts';
import type { Cells } from '#src/features/roster-imports/roster-rows.rules.ts';
import { present } from '#src/shared/field-names.ts';

type File = { columns: RosterImportAnswer['columns']; asks: string[]; notices: string[] };

const KINDS = ['errors', 'warnings', 'changes'] as const;

/** The rows of the preview, and those until so many sentences of each kind were said. */
function firstOfEachKind(rows: readonly PlannedRow[], previewed: ReadonlySet<number>, limit: number): PlannedRow[] {
  const counts = { errors: 0, warnings: 0, changes: 0 };
  return rows.filter((row) => {
    const kinds = KINDS.filter((kind) => row[kind].length > 0 && counts[kind] < limit);
    for (const kind of kinds) counts[kind] += row[kind].length;
    return kinds.length > 0 || previewed.has(row.row);
  });
}

/** The result of a dry run. A long file has more to say than a page shows: `limit` is how much of each kind is wanted. */
export function checkedAnswer(
  file: File,
  rows: readonly PlannedRow[],
  newTeams: string[],
  limit?: number,
): RosterImportAnswer {
  const facts = checkedFacts(rows);
  const previewed = new Set(facts.preview.map(({ row }) => row));
  const shown = limit === undefined ? rows : firstOfEachKind(rows, previewed, limit);
  const sum = (kind: (typeof KINDS)[number]) => rows.reduce((count, row) => count + row[kind].length, 0);
  return {
    ...facts,
    updated: rows.filter(({ result }) => result === 'updated').length,
    columns: file.columns,
    asks: file.asks,
    new_teams: newTeams,
    moving: rows.filter(({ isMoving }) => isMoving).length,
    notices: file.notices,
    sentences: { errors: sum('errors'), warnings: sum('warnings'), changes: sum('changes') },
    rows: shown.map(({ row, result, errors, warnings, changes, athleteId }) => ({
      row,
      result,
      errors,
      warnings,
      changes,
      id: athleteId,
    })),
  };
}

type Found = {
  id: number;
  status: 'running' | 'finished' | 'stopped';
  startedAt: Date;
  total: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
};
type Row = {
  row: number;
  result: Exclude<PlannedRow['result'], never> | null;
  messages: string[];
  athleteId: number | null;
};

export function answerOf(found: Found, rows: readonly Row[]): RosterImportAnswer {
  return present(words.rosterImportAnswer, {
    ...found,
    importId: found.id,
    waiting: found.total - found.created - found.updated - found.skipped - found.failed,
    columns: [],
    asks: [],
    newTeams: [],
    moving: 0,
    notices: [],
    sentences: null,
    preview: [],
    rows: rows.map(({ row, result, messages, athleteId }) => ({
      row,
      result: result ?? ('waiting' as const),
      errors: messages,
      warnings: [],
      changes: [],
      id: athleteId,
    })),
  });
}

/** A CSV file with the result of each row. Contents of imported rows are left out: they are on the roster. */
export const resultFile = (pages: AsyncIterable<readonly (Row & { cells: Cells | null })[]>) =>
  resultLines(words.ROSTER_FIELDS, pages, ({ athleteId }) => athleteId);

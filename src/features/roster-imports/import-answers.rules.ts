/** Roster imports as the API and pages show them. */
import { checkedFacts, resultLines } from '#src/features/bulk-imports/import-answers.rules.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import type { PlannedRow } from '#src/features/roster-imports/plan-roster.rules.ts';
import type { Cells } from '#src/features/roster-imports/roster-rows.rules.ts';
import { present } from '#src/shared/field-names.ts';

type File = { columns: RosterImportAnswer['columns']; asks: string[]; notices: string[] };

/** The result of a dry run. */
export function checkedAnswer(file: File, rows: readonly PlannedRow[], newTeams: string[]): RosterImportAnswer {
  return {
    ...checkedFacts(rows),
    updated: rows.filter(({ result }) => result === 'updated').length,
    columns: file.columns,
    asks: file.asks,
    new_teams: newTeams,
    moving: rows.filter(({ isMoving }) => isMoving).length,
    notices: file.notices,
    rows: rows.map(({ row, result, errors, warnings, changes, athleteId }) => ({
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
export const resultFile = (rowsAfter: (row: number) => Promise<readonly (Row & { cells: Cells | null })[]>) =>
  resultLines(words.ROSTER_FIELDS, rowsAfter, ({ athleteId }) => athleteId);

/** Reads a roster's file as rows with named cells. Only the server reads files, so that browser and server never disagree. */
import { MORE_CELLS_THAN_HEADERS } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { fileProblem, readRecords, type Source } from '#src/features/bulk-imports/file-reading.service.ts';
import * as columnsRules from '#src/features/roster-imports/columns.rules.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterQuery } from '#src/features/roster-imports/roster-imports.contract.ts';
import { readRow } from '#src/features/roster-imports/roster-rows.rules.ts';
import { inTurns } from '#src/platform/turns.ts';
import { fieldProblem } from '#src/shared/problem.ts';
import { tidyText } from '#src/shared/validators.ts';
import type { FileRow } from '#src/features/roster-imports/plan-roster.rules.ts';

export type RosterFile = {
  columns: { heading: string; samples: string[]; field: words.RosterField | null }[];
  /** Questions to answer before rows can be read; `rows` is empty until then. */
  asks: string[];
  rows: FileRow[];
  notices: string[];
};

/** The columns are guessed from this many rows. */
const SAMPLE_ROWS = 50;

/** @throws invalid with a sentence under `file` or `columns` */
export async function readRosterFile(
  source: Source,
  query: Pick<RosterQuery, 'columns' | 'team'>,
): Promise<RosterFile> {
  const { head, records, notices } = await readRecords(source, (cells) => cells.map(tidyText));
  const sample = records.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const columns = query.columns
    ? columnsRules.readColumns(query.columns, head.length)
    : columnsRules.guessColumns(head, sample);
  if ('error' in columns) throw fieldProblem({ columns: [columns.error] });
  const has = (field: words.RosterField) => columns.includes(field);
  const asks = [
    ...(has('first_name') || has('name') ? [] : [words.FIRST_NAME_MISSING]),
    ...(has('team') || (query.team ?? '').trim() !== '' ? [] : [words.TEAM_MISSING]),
  ];
  const wide = records.filter(({ cells }) => cells.slice(head.length).some((cell) => cell.trim() !== ''));
  const first = wide[0];
  if (first) throw fileProblem(`Row ${first.row}: ${MORE_CELLS_THAN_HEADERS}`);
  return {
    columns: head.map((heading, at) => ({ heading, samples: samplesOf(sample, at), field: columns[at] ?? null })),
    asks,
    rows: await inTurns(asks.length > 0 ? [] : records, (record) => {
      const cells = columnsRules.cellsOf(columns, record.cells);
      return { row: record.row, cells, ...readRow(cells) };
    }),
    notices,
  };
}

const samplesOf = (sample: readonly (readonly string[])[], at: number) =>
  [...new Set(sample.map((cells) => tidyText(cells[at] ?? '').slice(0, 60)))]
    .filter((text) => text !== '')
    .slice(0, words.SAMPLES);

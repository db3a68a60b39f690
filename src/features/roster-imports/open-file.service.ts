/**
 * A roster's file, read and then planned: a long one in a thread of its own, so that visitors of this process do not
 * wait for it (speed P20, decision record 0167).
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Source } from '#src/features/bulk-imports/file-reading.service.ts';
import { checkedAnswer } from '#src/features/roster-imports/import-answers.rules.ts';
import {
  newTeamsOf,
  planRoster,
  type FileRow,
  type Known,
  type PlannedRow,
  type PlanOptions,
} from '#src/features/roster-imports/plan-roster.rules.ts';
import { readRosterFile, type RosterFile } from '#src/features/roster-imports/reading.service.ts';
import type { RosterImportAnswer, RosterQuery } from '#src/features/roster-imports/roster-imports.contract.ts';
import { programFile } from '#src/platform/program-files.ts';
import { takeTurns } from '#src/platform/turns.ts';
import { problem, type Problem } from '#src/shared/problem.ts';

type ColumnsQuery = Pick<RosterQuery, 'columns' | 'team'>;
/** `isDry`: the rows are not stored. `limit`: as in the query. */
export type PlanTask = { known: Known; options: PlanOptions & { isDry: boolean; limit: number | undefined } };
/** The answer of a dry run, or if no row is valid; otherwise the rows to store, as JSON texts of some hundred each. */
export type PlannedFile =
  | { answer: RosterImportAnswer; batches: null }
  | { answer: null; batches: string[]; rows: number; valid: number; newAthletes: number; newTeams: number };
type ReadFile = Omit<RosterFile, 'rows'> & {
  /** What its rows name. */
  wanted: { names: string[]; externalIds: string[]; teams: string[] };
};
export type OpenFile = ReadFile & {
  /** @throws invalid when a season would have too many teams */
  plan(task: PlanTask): Promise<PlannedFile>;
  close(): void;
};

/** Some five hundred rows, or 20 ms in turns: a thread takes 100 ms to start. */
const SHORT_BYTES = 32_768;
const SHORT_ROWS = 500;
const ROWS_A_BATCH = 500;
/** A file takes a second or two. While the thread plans, no one else changes the roster. */
const THREAD_ANSWERS_WITHIN_MS = 30_000;

/** @throws as `readRosterFile` */
export function openFile(source: Source, query: ColumnsQuery): Promise<OpenFile> {
  const isShort = 'bytes' in source ? source.bytes.length <= SHORT_BYTES : source.rows.length <= SHORT_ROWS;
  return isShort ? openHere(source, query) : openInThread(source, query);
}

export async function openHere(source: Source, query: ColumnsQuery): Promise<OpenFile> {
  const { rows, ...file } = await readRosterFile(source, query);
  const values = rows.map((row) => row.values);
  return {
    ...file,
    wanted: {
      names: [...new Set(values.map(({ foldedName }) => foldedName))],
      externalIds: [...new Set(values.flatMap(({ externalId }) => externalId ?? []))],
      teams: [...new Set(values.map(({ team }) => team))],
    },
    plan: (task) => planFile(file, rows, task),
    close: () => undefined,
  };
}

async function planFile(
  file: Omit<RosterFile, 'rows'>,
  read: readonly FileRow[],
  { known, options }: PlanTask,
): Promise<PlannedFile> {
  const rows = await takeTurns(planRoster(read, known, options));
  const newTeams = newTeamsOf(rows, known.teams);
  const valid = rows.filter(({ result }) => result !== 'failed').length;
  if (options.isDry || valid === 0)
    return { answer: checkedAnswer(file, rows, newTeams, options.limit), batches: null };
  const batches: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_A_BATCH)
    batches.push(JSON.stringify(rows.slice(at, at + ROWS_A_BATCH).map(storedRow)));
  const newAthletes = rows.filter(({ result }) => result === 'created').length;
  return { answer: null, batches, rows: rows.length, valid, newAthletes, newTeams: newTeams.length };
}

/** As `insertRows` takes it. Rows that change nothing are finished when they are written. */
function storedRow({ row, cells, result, errors, athleteId, plan }: PlannedRow) {
  const isDue = result === 'created' || result === 'updated';
  return {
    row,
    cells: result === 'skipped' ? null : cells,
    plan: isDue ? plan : null,
    result: isDue ? null : result,
    errors,
    athleteId,
  };
}

/** What the thread is given to begin with, and its answer to each task. */
export type ThreadStart = { source: Source; query: ColumnsQuery };
export type ThreadAnswer = { done: unknown } | { refused: Pick<Problem, 'code' | 'message' | 'details'> };

async function openInThread(source: Source, query: ColumnsQuery): Promise<OpenFile> {
  const thread = new Worker(programFile('roster-thread'), { workerData: { source, query } satisfies ThreadStart });
  const ended = new Promise<never>((_, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread of a roster has ended.')));
  });
  // It may end while no one waits for an answer; the next call is rejected.
  ended.catch(() => undefined);
  const answer = async <Done>(): Promise<Done> => {
    const signal = AbortSignal.timeout(THREAD_ANSWERS_WITHIN_MS);
    const answered = once(thread, 'message', { signal }).catch((error: unknown) => {
      if (signal.aborted) throw new Error('The thread of a roster does not answer.', { cause: error });
      throw error;
    });
    const [message] = (await Promise.race([answered, ended])) as [ThreadAnswer];
    if ('done' in message) return message.done as Done;
    throw problem(message.refused.code, message.refused.message, message.refused.details);
  };
  const close = () => void thread.terminate();
  try {
    const plan = (task: PlanTask) => {
      thread.postMessage(task);
      return answer<PlannedFile>();
    };
    return { ...(await answer<ReadFile>()), plan, close };
  } catch (error) {
    close();
    throw error;
  }
}

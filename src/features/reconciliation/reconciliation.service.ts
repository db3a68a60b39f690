/**
 * Platform admins see when the ledger was last compared, with which sums, and what differs; they start a comparison, take over
 * a difference, add notes and explain it. A difference that disappears closes automatically. Auditors get the ledger as files.
 */
import { pageOf, readPages } from '#src/shared/paging.ts';
import { requireAdminUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { balanceFile, journalFile } from '#src/features/reconciliation/books.rules.ts';
import * as booksSql from '#src/features/reconciliation/books.sql.ts';
import { BOOKS, run, type ComparingDeps } from '#src/features/reconciliation/comparing.service.ts';
import * as words from '#src/features/reconciliation/reconciliation.contract.ts';
import { reconcileNowJob } from '#src/features/reconciliation/reconciliation.jobs.ts';
import { presentDifference, presentRun } from '#src/features/reconciliation/difference-texts.rules.ts';
import * as reconciliationSql from '#src/features/reconciliation/reconciliation.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { DEFAULT_TIME_ZONE } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem, fieldProblem } from '#src/shared/problem.ts';

/** Postings read at a time for a file; one of a large payout has thousands of entries. */
const POSTINGS_AT_A_TIME = 500;

type ReconciliationServiceDeps = ComparingDeps & { jobs: Pick<Jobs, 'enqueue'>; audit: AuditRecorder };
export type ReconciliationService = ReturnType<typeof createReconciliation>;

/** The id of a new run; null while another one waits or runs. */
async function begin(tx: Writer, requestedBy: number | null): Promise<number | null> {
  await reconciliationSql.endDeadRuns(tx);
  return reconciliationSql.insertRun(tx, requestedBy);
}

/** For the schedule: compares, unless a comparison is running. */
export async function runNightly(ctx: ReconciliationServiceDeps): Promise<void> {
  const id = await ctx.database.write(BOOKS, (tx) => begin(tx, null));
  if (id !== null) await run(ctx, id);
}

/** For the job: performs the requested run. */
export async function runWaiting(ctx: ReconciliationServiceDeps): Promise<void> {
  const [id] = await ctx.database.read(BOOKS, reconciliationSql.listWaiting);
  if (id !== undefined) await run(ctx, id);
}

export function countOpen(ctx: ReconciliationServiceDeps): Promise<number> {
  return ctx.database.read(BOOKS, reconciliationSql.countOpen);
}

/** Requests a comparison now. @throws unauthenticated; forbidden; conflict while one waits or runs */
export async function runNow(ctx: ReconciliationServiceDeps, caller: Caller): Promise<words.RunAnswer> {
  const { userId } = requireAdminUser(caller.actor);
  return ctx.database.write(BOOKS, async (tx) => {
    const id = await begin(tx, userId);
    if (id === null) throw problem('conflict', words.RUN_UNDER_WAY);
    await ctx.jobs.enqueue(tx, reconcileNowJob, null, { singletonKey: 'now' });
    await ctx.audit.record(tx, caller, {
      action: 'reconciliation.asked',
      organizationId: null,
      object: ['reconciliation_run', id],
    });
    const [newest] = await reconciliationSql.listRuns(tx, 1);
    if (!newest) throw new Error(`run ${id} is not there`);
    return presentRun(newest);
  });
}

/** The data of the page. @throws unauthenticated; forbidden */
export async function overview(
  ctx: ReconciliationServiceDeps,
  caller: Caller,
  state: words.DifferenceState,
  after: number | null,
) {
  const { userId } = requireAdminUser(caller.actor);
  return ctx.database.read(BOOKS, async (db) => {
    const runs = await reconciliationSql.listRuns(db, words.RUNS_SHOWN);
    const rows = await reconciliationSql.listDifferences(db, {
      state,
      before: after,
      limit: words.DIFFERENCES_A_PAGE + 1,
    });
    const { shown, next } = pageOf(rows, words.DIFFERENCES_A_PAGE);
    return {
      runs: runs.map(presentRun),
      differences: shown.map((row) => presentDifference(row, userId)),
      next,
      open: await reconciliationSql.countOpen(db),
    };
  });
}

/**
 * Assigns a difference or releases it, adds a note, explains it or reopens it.
 * @throws unauthenticated; forbidden; not_found; conflict if it is closed; invalid without an explanation
 */
export async function change(
  ctx: ReconciliationServiceDeps,
  caller: Caller,
  id: number,
  { mine, note, state }: words.DifferenceBody,
) {
  const { userId } = requireAdminUser(caller.actor);
  return ctx.database.write(BOOKS, async (tx) => {
    const find = async () =>
      (await reconciliationSql.listDifferences(tx, { state: 'open', before: null, limit: 1, only: id }))[0];
    const before = await find();
    if (!before) throw notFound(words.DIFFERENCE_NOT_FOUND);
    if (state === 'explained' && (note ?? before.note) === '')
      throw fieldProblem({ note: [words.EXPLANATION_REQUIRED] });
    const ownerId = mine === undefined ? undefined : mine ? userId : null;
    const isChanged = await reconciliationSql.updateDifference(tx, id, { owner_id: ownerId, note, state });
    if (!isChanged) throw problem('conflict', words.DIFFERENCE_IS_CLOSED);
    await ctx.audit.record(tx, caller, {
      action: state === 'explained' ? 'difference.explained' : 'difference.changed',
      organizationId: null,
      object: ['reconciliation_difference', id],
      details: { ...(mine === undefined ? {} : { mine }), ...(state === undefined ? {} : { state }) },
    });
    const after = await find();
    if (!after) throw notFound(words.DIFFERENCE_NOT_FOUND);
    return presentDifference(after, userId);
  });
}

/** Days of the platform's time zone. */
const daysOf = ({ from, to }: words.BookDays) => ({ from: from || null, to: to || null, timeZone: DEFAULT_TIME_ZONE });

/** Every entry of the ledger on these days as a file, in the order of time, streamed. @throws unauthenticated; forbidden */
export async function journal(ctx: ReconciliationServiceDeps, caller: Caller, days: words.BookDays) {
  requireAdminUser(caller.actor);
  const read = (last: booksSql.PlacedEntry | null) =>
    ctx.database.read(BOOKS, (db) => booksSql.listEntries(db, daysOf(days), last, POSTINGS_AT_A_TIME));
  return journalFile(readPages(POSTINGS_AT_A_TIME, read));
}

/** What each account had before these days, its debits and credits, and what it had after them. @throws as `journal` */
export async function balances(ctx: ReconciliationServiceDeps, caller: Caller, days: words.BookDays) {
  requireAdminUser(caller.actor);
  return balanceFile(await ctx.database.read(BOOKS, (db) => booksSql.listAccounts(db, daysOf(days))));
}

export const createReconciliation = (deps: ReconciliationServiceDeps) =>
  bind(deps, { runNightly, runWaiting, countOpen, runNow, overview, change, journal, balances });

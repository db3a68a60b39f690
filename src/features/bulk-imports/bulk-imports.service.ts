/**
 * A platform admin uploads a file of accounts or galleries. It is read and checked as a whole; the worker then imports the
 * valid rows one by one, while everyone else continues to use the site. The file itself is never stored, and passwords wait
 * encrypted.
 */
import { createHash } from 'node:crypto';
import { requireAdminUser, type Caller, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkAnswer, ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { importRowsJob } from '#src/features/bulk-imports/bulk-imports.jobs.ts';
import * as bulkImportsSql from '#src/features/bulk-imports/bulk-imports.sql.ts';
import { readSource, type Source } from '#src/features/bulk-imports/file-reading.service.ts';
import { createImportWork, type ImportWorkDeps } from '#src/features/bulk-imports/import-work.service.ts';
import {
  answerOf,
  checkedAnswer,
  checkedRows,
  resultFile,
  resultFileName,
  type RowRecord,
} from '#src/features/bulk-imports/import-answers.rules.ts';
import { planGalleries, planUsers } from '#src/features/bulk-imports/plan-rows.service.ts';
import { equalRowsOf, type PlannedRow } from '#src/features/bulk-imports/row-results.rules.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { sealText, signValue } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { columnsOf } from '#src/shared/field-names.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { readPages, type PageQuery } from '#src/shared/paging.ts';

const ADMIN = { kind: 'system', why: 'platform admins import for many organizations' } as const;
const ROWS_A_STATEMENT = 250;
const ROWS_OF_A_FILE = 500;
const POLL_EVERY_MS = 200;
const FORGET_AT_A_TIME = 100;

export type BulkImportService = ReturnType<typeof createBulkImports>;
type BulkImportDeps = ImportWorkDeps & { audit: AuditRecorder; passwordPolicy: PasswordPolicy };

function macOf(ctx: BulkImportDeps, ...parts: readonly (string | number)[]) {
  return Buffer.from(signValue(ctx.keys.bulkImports, ...parts), 'base64url');
}

async function check(ctx: BulkImportDeps, kind: ImportKind, source: Source) {
  const { rows, notices } = await readSource(kind, source);
  const planDeps = {
    macOf: (...parts: readonly (string | number)[]) => macOf(ctx, ...parts),
    policy: ctx.passwordPolicy,
  };
  const plan = kind === 'users' ? planUsers : planGalleries;
  const planned = await ctx.database.read(ADMIN, (db) => plan(db, rows, planDeps));
  // For accounts the second one is taken and reported as such.
  const equal = kind === 'galleries' ? equalRowsOf(planned) : [];
  return { rows: planned, notices: equal.length > 0 ? [...notices, words.equalRows(equal)] : notices };
}

/** Rows that need no work are written as done. */
function newRow(ctx: BulkImportDeps, { password, result, made, ...row }: PlannedRow): bulkImportsSql.NewRow {
  const isDue = result === 'created';
  return {
    ...row,
    passwordSealed: isDue && password !== null ? sealText(ctx.keys.bulkImports, password) : null,
    result: isDue ? null : result,
    madeId: made?.madeId ?? null,
    madeUserId: made?.madeUserId ?? null,
  };
}

async function begin(
  ctx: BulkImportDeps,
  tx: Writer,
  caller: Caller,
  actor: SignedIn,
  file: { kind: ImportKind; fileName: string; contentMac: Buffer; rows: PlannedRow[] },
): Promise<number | null> {
  const { kind, rows, fileName, contentMac } = file;
  const fresh = columnsOf({ kind, fileName, contentMac, startedBy: actor.userId, rowCount: rows.length });
  const importId = await bulkImportsSql.insertImport(tx, fresh);
  if (importId === null) return null;
  // Passwords are encrypted in batches: other requests get their turn between two statements.
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT)
    await bulkImportsSql.insertRows(
      tx,
      importId,
      rows.slice(at, at + ROWS_A_STATEMENT).map((planned) => newRow(ctx, planned)),
    );
  await ctx.audit.record(tx, caller, {
    action: 'bulk_import.started',
    organizationId: null,
    object: ['bulk_import', importId],
    // Without the file's name, which may be a person's: the log reads it from the import.
    details: { kind, rows: rows.length, valid: rows.filter(({ result }) => result === 'created').length },
  });
  await ctx.jobs.enqueue(tx, importRowsJob, { importId });
  return importId;
}

async function readImport(ctx: BulkImportDeps, importId: number, page: PageQuery): Promise<BulkAnswer> {
  const { after = 0, limit = words.MAX_ROWS } = page;
  return ctx.database.read(ADMIN, async (db) => {
    const found = await bulkImportsSql.findImport(db, importId);
    if (!found) throw notFound();
    const [counts] = await bulkImportsSql.countResults(db, [importId]);
    const rows = limit === 0 ? [] : await bulkImportsSql.listRows(db, importId, { after, limit });
    return answerOf(found, counts, rows);
  });
}

/** Checks what a file would do; nothing is created. @throws as `readSource`; unauthenticated; forbidden */
async function checkFile(ctx: BulkImportDeps, caller: Caller, kind: ImportKind, source: Source): Promise<BulkAnswer> {
  requireAdminUser(caller.actor);
  return checkedAnswer(kind, source.fileName, await check(ctx, kind, source));
}

/**
 * Starts the import of all valid rows; the others are reported as failed.
 * @throws as `check`; invalid "No valid rows found in CSV." with the `rows`; conflict with the `import_id` of the running one
 */
export async function start(ctx: BulkImportDeps, caller: Caller, kind: ImportKind, source: Source): Promise<number> {
  const actor = requireAdminUser(caller.actor);
  const { rows } = await check(ctx, kind, source);
  if (rows.every(({ result }) => result === 'failed'))
    throw problem('invalid', words.NO_VALID_ROWS, {
      errors: { file: [words.NO_VALID_ROWS] },
      extra: { rows: checkedRows(kind, rows) },
    });
  const content = createHash('sha256').update('bytes' in source ? source.bytes : JSON.stringify(source.rows));
  const file = { kind, fileName: source.fileName, contentMac: macOf(ctx, 'file', content.digest('hex')), rows };
  const importId = await ctx.database.write(ADMIN, (tx) => begin(ctx, tx, caller, actor, file));
  if (importId !== null) return importId;
  const running = await ctx.database.read(ADMIN, (db) => bulkImportsSql.findRunning(db, kind, file.contentMac));
  throw problem('conflict', words.ALREADY_IMPORTING, { extra: { import_id: running } });
}

/** The status of an import, with its rows after a given row. @throws unauthenticated; not_found */
export async function read(ctx: BulkImportDeps, caller: Caller, importId: number, page: PageQuery = {}) {
  requireAdminUser(caller.actor);
  return readImport(ctx, importId, page);
}

/** The same once the import has ended, or after some seconds. @throws as `read` */
export async function readWhenOver(
  ctx: BulkImportDeps,
  caller: Caller,
  importId: number,
  waitSeconds: number,
): Promise<BulkAnswer> {
  requireAdminUser(caller.actor);
  return whenOver(waitSeconds, (page) => readImport(ctx, importId, page));
}

/** The result of `read` when an import has ended, or after some seconds; until then no rows are read. */
export async function whenOver<Answer extends { status: string }>(
  waitSeconds: number,
  read: (page: { limit?: number }) => Promise<Answer>,
): Promise<Answer> {
  const until = performance.now() + waitSeconds * 1_000;
  for (;;) {
    const { status } = await read({ limit: 0 });
    if (status !== 'running' || performance.now() >= until) return read({});
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** The newest imports, without their rows. @throws unauthenticated; forbidden */
export async function recent(ctx: BulkImportDeps, caller: Caller, kind: ImportKind): Promise<BulkAnswer[]> {
  requireAdminUser(caller.actor);
  return ctx.database.read(ADMIN, async (db) => {
    const found = await bulkImportsSql.listRecent(db, kind, words.RECENT_IMPORTS);
    const ids = found.map(({ id }) => id);
    const counts = new Map((await bulkImportsSql.countResults(db, ids)).map((each) => [each.importId, each]));
    return found.map((each) => answerOf(each, counts.get(each.id), []));
  });
}

/**
 * The file with the result of each row, in chunks, and its name; `result` leaves the others out.
 * @throws unauthenticated; not_found
 */
export async function fileOfResults(ctx: BulkImportDeps, caller: Caller, importId: number, result?: 'failed') {
  requireAdminUser(caller.actor);
  const { kind, file_name: fileName } = await readImport(ctx, importId, { limit: 0 });
  const limit = ROWS_OF_A_FILE;
  const pages = readPages(limit, (last: RowRecord | null) =>
    ctx.database.read(ADMIN, (db) => bulkImportsSql.listRows(db, importId, { after: last?.row ?? 0, limit, result })),
  );
  return { name: resultFileName({ id: importId, sent: fileName }, result), lines: resultFile(kind, pages) };
}

/** Handler of `forgetCellsJob`; returns the number of imports. */
export async function forgetCells(ctx: BulkImportDeps): Promise<number> {
  return ctx.database.write(ADMIN, (tx) => bulkImportsSql.forgetCells(tx, words.CELLS_KEPT_DAYS, FORGET_AT_A_TIME));
}

export function createBulkImports(deps: BulkImportDeps) {
  return {
    ...createImportWork(deps),
    ...bind(deps, { check: checkFile, start, read, readWhenOver, recent, resultFile: fileOfResults, forgetCells }),
  };
}

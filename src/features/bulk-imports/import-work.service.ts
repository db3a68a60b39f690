/**
 * The worker processes the rows of an import. Each row's result is written in the same transaction as its account or gallery.
 * A killed worker loses its current row, which the next attempt repeats (fault F21).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountOpening } from '#src/features/members/account-opening.service.ts';
import { isTaken } from '#src/features/sign-up/sign-up-cost.rules.ts';
import {
  CSV_ACCOUNT_TAKEN,
  ERROR_SAVING_USER,
  GALLERY_NOT_CREATED,
  PARENT_NOT_FOUND,
  type ImportKind,
} from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { importRowsJob } from '#src/features/bulk-imports/bulk-imports.jobs.ts';
import * as bulkImportsSql from '#src/features/bulk-imports/bulk-imports.sql.ts';
import { galleryOf } from '#src/features/bulk-imports/gallery-rows.rules.ts';
import { accountOf } from '#src/features/bulk-imports/account-rows.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { activeGalleries } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { hashPassword, openText } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem, problem } from '#src/shared/problem.ts';

export type ImportWorkDeps = Pick<Platform, 'database' | 'jobs'> & {
  log: Pick<Platform['log'], 'error'>;
  organizations: Pick<OrganizationService, 'byId' | 'createWithin'>;
  galleries: Pick<GalleryService, 'createWithin'>;
  opening: AccountOpening;
  keys: { bulkImports: Buffer };
};

const IMPORT = { kind: 'system', why: 'a platform admin imports for many organizations' } as const;
/** After this time the next job continues, so that two imports share the worker. */
const SLICE_MS = 20_000;
const ROWS_AT_A_TIME = 50;
/**
 * In a long import the pause after each row is four times as long as the row. It leaves the cores of a small server to
 * visitors (decision record 0031, speed P20).
 */
const REST = 4;
const MAX_REST_MS = 2_000;
const EMAILS_A_SECOND = 10;
const GIVEN_UP = 'The import was stopped before this row. Please upload the file again.';

async function openAccount(
  ctx: ImportWorkDeps,
  tx: Writer,
  waiting: bulkImportsSql.WaitingRow,
  passwordHash: string | null,
): Promise<bulkImportsSql.RowEnd> {
  const account = accountOf(waiting.cells);
  const parent = waiting.organizationId === null ? null : await ctx.organizations.byId(waiting.organizationId);
  if (!parent) throw problem('invalid', PARENT_NOT_FOUND);
  const organizationId = await ctx.organizations.createWithin(tx, {
    kind: 'affiliate',
    name: account.organizationName,
    domainName: account.path,
    parentOrganizationId: parent.id,
    contactName: `${account.firstName} ${account.lastName}`,
    contactEmail: account.email,
    freeTier: true,
    taxId: account.taxId,
  });
  const userId = await ctx.opening.openWithin(tx, { ...account, passwordHash }, organizationId);
  if (passwordHash === null)
    await ctx.opening.inviteWithin(
      tx,
      { userId, email: account.email, firstName: account.firstName },
      { name: account.organizationName, label: parent.domainName, landing: `/${account.path}/dashboard` },
      Math.floor((waiting.row - 2) / EMAILS_A_SECOND),
    );
  return { result: 'created', madeId: organizationId, madeUserId: userId };
}

async function openGallery(
  ctx: ImportWorkDeps,
  tx: Writer,
  waiting: bulkImportsSql.WaitingRow,
  password: string | null,
): Promise<bulkImportsSql.RowEnd> {
  const [earlier] = await bulkImportsSql.listMade(tx, [waiting.mac]);
  if (earlier && (await activeGalleries(tx, [earlier.madeId])).size > 0)
    return { result: 'skipped', madeId: earlier.madeId, madeUserId: null };
  const owner = waiting.organizationId === null ? null : await ctx.organizations.byId(waiting.organizationId);
  if (!owner) throw problem('invalid', GALLERY_NOT_CREATED);
  const gallery = galleryOf({ ...waiting.cells, password: password ?? '' }, owner.id);
  const { galleryId } = await ctx.galleries.createWithin(tx, owner, gallery);
  return { result: 'created', madeId: galleryId, madeUserId: null };
}

async function importRow(ctx: ImportWorkDeps, importId: number, kind: ImportKind, waiting: bulkImportsSql.WaitingRow) {
  const password = waiting.passwordSealed === null ? null : openText(ctx.keys.bulkImports, waiting.passwordSealed);
  const passwordHash = kind === 'users' && password !== null ? await hashPassword(password) : null;
  try {
    await ctx.database.write(IMPORT, async (tx) => {
      if (!(await bulkImportsSql.lockWaiting(tx, importId, waiting))) return;
      const end =
        kind === 'users'
          ? await openAccount(ctx, tx, waiting, passwordHash)
          : await openGallery(ctx, tx, waiting, password);
      await bulkImportsSql.endRow(tx, importId, waiting.row, end);
      if (waiting.row === 2) crashAt('bulk.first_row');
      if (waiting.row === 501) crashAt('bulk.row_500');
    });
    crashAt('bulk.after_row');
  } catch (error) {
    // An unavailable database is not the row's fault: the job waits for it.
    if (isProblem(error) && error.code === 'unavailable') throw error;
    if (!isProblem(error) && !isTaken(error))
      ctx.log.error({ err: error, importId, row: waiting.row }, 'a row was not imported');
    const message = messageOf(kind, error);
    await ctx.database.write(IMPORT, (tx) =>
      bulkImportsSql.endRow(tx, importId, waiting.row, { result: 'failed', messages: [message] }),
    );
  }
}

/**
 * Handler of `importRowsJob`: works for some seconds, then queues the next job; idempotent. `rest` is a multiple of a row's
 * duration.
 */
export async function work(ctx: ImportWorkDeps, importId: number, signal: AbortSignal, rest = REST): Promise<void> {
  const found = await ctx.database.read(IMPORT, (db) => bulkImportsSql.findImport(db, importId));
  if (found?.status !== 'running') return;
  const startedAt = performance.now();
  for (;;) {
    const waiting = await ctx.database.read(IMPORT, (db) => bulkImportsSql.listWaiting(db, importId, ROWS_AT_A_TIME));
    if (waiting.length === 0) break;
    for (const row of waiting) {
      signal.throwIfAborted();
      const rowAt = performance.now();
      await importRow(ctx, importId, found.kind, row);
      if (found.rowCount > ROWS_AT_A_TIME)
        await pause(Math.min(MAX_REST_MS, (performance.now() - rowAt) * rest), undefined, { signal });
    }
    if (performance.now() - startedAt > SLICE_MS)
      return ctx.database.write(IMPORT, (tx) => ctx.jobs.enqueue(tx, importRowsJob, { importId }));
  }
  crashAt('bulk.last_row');
  await ctx.database.write(IMPORT, (tx) => bulkImportsSql.endImport(tx, importId, 'finished'));
}

/** All attempts failed: the remaining rows are reported as failed, and their passwords are deleted. */
export async function giveUp(ctx: ImportWorkDeps, importId: number): Promise<void> {
  await ctx.database.write(IMPORT, async (tx) => {
    await bulkImportsSql.failWaiting(tx, importId, GIVEN_UP);
    await bulkImportsSql.endImport(tx, importId, 'stopped');
  });
}

export const createImportWork = (deps: ImportWorkDeps) => bind(deps, { work, giveUp });

/** The message of a failed row (A§8). */
function messageOf(kind: ImportKind, error: unknown): string {
  if (isTaken(error)) return CSV_ACCOUNT_TAKEN;
  if (isProblem(error)) return error.message;
  return kind === 'users' ? ERROR_SAVING_USER : GALLERY_NOT_CREATED;
}

/**
 * Members export everything that is stored for their organization: requested with a recent password, made by the
 * worker, and downloaded as archives that can be resumed. An archive's bytes depend only on its list of files.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import * as words from '#src/features/exports/exports.contract.ts';
import { makeExportJob } from '#src/features/exports/exports.jobs.ts';
import { archiveName } from '#src/features/exports/exports.rules.ts';
import * as exportsSql from '#src/features/exports/exports.sql.ts';
import { createExportMaking, type MakingDeps } from '#src/features/exports/making.service.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { mayTake, type Limits, type RateLimit } from '#src/platform/limits/rate-limits.ts';
import { storageUnavailable } from '#src/platform/storage/storage-faults.ts';
import { endOfDirectoryBytes, planZip, readZip, type ZipSource } from '#src/platform/zip/stored-zip.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { readAhead } from '#src/shared/read-ahead.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

type ExportDeps = MakingDeps & {
  organizations: Pick<OrganizationService, 'byId'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  jobs: Pick<Jobs, 'enqueue'>;
  limits: Limits;
  log: { error(details: object, message: string): void };
};
export type ExportService = ReturnType<typeof createExportService>;

/** Downloads of one archive, which may be a gigabyte. */
const STARTS_AN_HOUR = 10;
const RESUMES_AN_HOUR = 200;
const STORED_AT_A_TIME = 50;
const CHECKS_AT_ONCE = 4;
const OBJECTS_LOGGED = 20;

/** Local header and directory entry of a file without an extra field (`planZip`); archives stay below four gigabytes. */
function archiveBytes({ files, nameBytes, contentBytes }: exportsSql.PartRow): number {
  const directoryAt = contentBytes + 30 * files + nameBytes;
  const directoryBytes = 46 * files + nameBytes;
  return directoryAt + directoryBytes + endOfDirectoryBytes({ count: files, directoryAt, directoryBytes });
}

function present(
  row: exportsSql.ExportRow & { unreadablePhotos?: number },
  path: string,
  parts: readonly exportsSql.PartRow[],
): words.ExportAnswer {
  const isReady = row.state === 'ready';
  const last = Math.max(0, ...parts.map(({ part }) => part));
  return {
    id: row.id,
    state: row.state,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    photos: row.photos,
    unreadable_photos: row.unreadablePhotos ?? 0,
    bytes: row.bytes,
    parts: (isReady ? parts : []).map((part) => ({
      part: part.part,
      name: archiveName(path, part.part, last),
      url: `/api/v1/affiliates/${row.organizationId}/exports/${row.id}/parts/${part.part}`,
      files: part.files,
      bytes: archiveBytes(part),
    })),
  };
}

/** Requested exports, newest first. @throws unauthenticated; not_found for other organizations */
export async function list(ctx: ExportDeps, caller: Caller, organizationId: number): Promise<words.ExportAnswer[]> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.database.read(tenantScope(owner.id), async (db) => {
    const rows = await exportsSql.listExports(db, owner.id, words.LISTED);
    const ready = rows.filter(({ state }) => state === 'ready').map(({ id }) => id);
    const parts = await exportsSql.listParts(db, ready);
    const byExport = Map.groupBy(parts, ({ exportId }) => exportId);
    return rows.map((row) => present(row, owner.domainName, byExport.get(row.id) ?? []));
  });
}

/**
 * Requests an export.
 * @throws unauthenticated, also "Please confirm your password."; not_found; conflict while one is being made; too_many;
 * storage_full
 */
export async function requestExport(
  ctx: ExportDeps,
  caller: Caller,
  organizationId: number,
): Promise<words.ExportAnswer> {
  const actor = requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  ctx.accounts.requireRecentPassword(actor);
  if (!(await ctx.storage.hasSpace())) throw problem('storage_full', words.STORAGE_IS_FULL);
  await ctx.limits.take({ bucket: `export:${owner.id}`, limit: words.EXPORTS_A_DAY, windowSeconds: DAY_SECONDS });
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const id = await exportsSql.insertExport(tx, owner.id, actor.userId);
    const row = id === null ? null : await exportsSql.findExport(tx, id);
    if (id === null || row === null) throw problem('conflict', words.ALREADY_MAKING);
    await ctx.jobs.enqueue(tx, makeExportJob, { exportId: id });
    await ctx.audit.record(tx, caller, {
      action: 'export.asked',
      organizationId: owner.id,
      object: ['export', id],
    });
    return present(row, owner.domainName, []);
  });
}

type FoundPart = { organizationId: number; exportId: number; part: number; files: readonly exportsSql.PartFile[] };

/** Compares the hash: a checksum of an earlier download may be that of damaged bytes. */
function isIntact({ bytes, sha256 }: exportsSql.PartFile, content: Buffer): boolean {
  return content.length === bytes && (sha256 === null || createHash('sha256').update(content).digest('hex') === sha256);
}

/** The same check of an object in the store, read in pieces. */
async function checkObject(ctx: ExportDeps, file: exportsSql.PartFile): Promise<'intact' | 'damaged' | 'missing'> {
  const stored = await ctx.storage.stream(file.objectKey);
  if (!stored) return 'missing';
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stored.body as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return bytes === file.bytes && (file.sha256 === null || hash.digest('hex') === file.sha256) ? 'intact' : 'damaged';
}

/**
 * Damaged and missing originals would end every download of their archive, one after the other: all of them are left
 * out, and the next download has the rest. A file of data never is: a copy without it would not be whole.
 * @throws unavailable, and leaves out nothing, when every file is missing: then the store is another one or not there
 */
async function leaveOutDamaged(ctx: ExportDeps, { organizationId, exportId, part, files }: FoundPart): Promise<void> {
  const damaged: string[] = [];
  let isStoreThere = false;
  const checks = readAhead(files, CHECKS_AT_ONCE, async (file) => ({ file, state: await checkObject(ctx, file) }));
  for await (const { file, state } of checks) {
    if (state !== 'missing') isStoreThere = true;
    if (state !== 'intact') damaged.push(file.objectKey);
  }
  if (!isStoreThere) {
    ctx.log.error({ exportId, part, count: files.length }, 'no file of an archive of a copy is in the store');
    throw storageUnavailable(new Error(`no file of part ${part} of export ${exportId} is in the store`));
  }
  if (damaged.length === 0) return;
  const objects = damaged.slice(0, OBJECTS_LOGGED);
  ctx.log.error({ exportId, part, count: damaged.length, objects }, 'files of a copy are damaged or missing');
  await ctx.database.write(tenantScope(organizationId), (tx) => exportsSql.leaveOut(tx, exportId, damaged));
}

async function* bytesOf(
  ctx: ExportDeps,
  found: FoundPart,
  plan: ReturnType<typeof planZip>,
  range: { start: number; end: number },
) {
  const checksums = found.files.map(({ crc32: checksum }) => checksum);
  const learned = new Map<number, number>();
  const storeChecksums = async () => {
    if (learned.size === 0) return;
    const batch = new Map(learned);
    learned.clear();
    await ctx.database.write(tenantScope(found.organizationId), (tx) => exportsSql.storeChecksums(tx, found, batch));
  };
  const source: ZipSource = {
    async content(index) {
      if (learned.size >= STORED_AT_A_TIME) await storeChecksums();
      const file = found.files[index];
      const bytes = file ? await ctx.storage.get(file.objectKey) : null;
      if (file && bytes && isIntact(file, bytes)) {
        // Learned again if it was that of damaged bytes, which were repaired since.
        if (checksums[index] !== crc32(bytes)) checksums[index] = null;
        return bytes;
      }
      await leaveOutDamaged(ctx, found);
      throw new Error(`${file?.objectKey} cannot be read`);
    },
    knownChecksum: (index) => checksums[index] ?? null,
    onChecksum: (index, checksum) => void learned.set(found.files[index]?.place ?? 0, checksum),
  };
  try {
    yield* readZip(plan, range, source);
  } finally {
    await storeChecksums();
  }
}

/**
 * One archive of an export, whole or in part. Files that were deleted since, and originals that turned out to be damaged,
 * are left out, which changes its ETag.
 * @throws unauthenticated; not_found for other organizations and for expired exports; too_many
 */
export async function part(
  ctx: ExportDeps,
  caller: Caller,
  ids: { organizationId: number; exportId: number; part: number },
) {
  const { userId } = requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, ids.organizationId);
  const { row, files, last } = await ctx.database.read(tenantScope(owner.id), async (db) => ({
    row: await exportsSql.findExport(db, ids.exportId),
    files: await exportsSql.listFiles(db, ids.exportId, ids.part),
    last: (await exportsSql.listParts(db, [ids.exportId])).at(-1)?.part ?? 1,
  }));
  const isOpen = row?.state === 'ready' && row.expiresAt !== null && row.expiresAt > ctx.clock.now();
  if (!row || !isOpen || files.length === 0 || row.organizationId !== owner.id) throw notFound(words.EXPORT_NOT_FOUND);
  const plan = planZip(files, row.createdAt);
  const tag = createHash('sha256').update(JSON.stringify([ids, files.map(({ name, objectKey }) => [name, objectKey])]));
  return {
    fileName: archiveName(owner.domainName, ids.part, last),
    etag: `"${tag.digest('base64url').slice(0, 32)}"`,
    bytes: plan.totalBytes,
    async open(range = { start: 0, end: plan.totalBytes - 1 }) {
      const isStart = range.start === 0;
      const bucket = `export:${isStart ? 'begin' : 'resume'}:${ids.exportId}:${ids.part}`;
      const limit = isStart ? STARTS_AN_HOUR : RESUMES_AN_HOUR;
      await ctx.limits.take({ bucket, limit, windowSeconds: HOUR_SECONDS });
      const isNew = await mayTake(ctx.limits, oneAnHour(`export:noted:${ids.exportId}:${ids.part}:${userId}`));
      if (isStart || isNew) await recordDownload(ctx, caller, ids);
      return Readable.from(bytesOf(ctx, { ...ids, files }, plan, range), { objectMode: false });
    },
  };
}

/**
 * Downloads are logged once an hour. One that starts at the second byte counts, too, so that a resumed download cannot
 * avoid the log.
 */
const oneAnHour = (bucket: string): RateLimit => ({ bucket, limit: 1, windowSeconds: HOUR_SECONDS });

/** The log shows who downloaded personal data of buyers, as well as who requested it. */
function recordDownload(
  ctx: ExportDeps,
  caller: Caller,
  ids: { organizationId: number; exportId: number; part: number },
) {
  return ctx.database.write(tenantScope(ids.organizationId), (tx) =>
    ctx.audit.record(tx, caller, {
      action: 'export.downloaded',
      organizationId: ids.organizationId,
      object: ['export', ids.exportId],
      details: { part: ids.part },
    }),
  );
}

export const createExportService = (deps: ExportDeps) => ({
  ...createExportMaking(deps),
  ...bind(deps, { list, requestExport, part }),
});

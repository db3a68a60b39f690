/**
 * The worker makes an export: all rows in one snapshot, as files in the store, a few thousand rows at a time. Originals are
 * only planned and not copied: they are read when their archive is downloaded. It can be stopped at any time and starts again.
 */
import { createHash } from 'node:crypto';
import * as words from '#src/features/exports/exports.contract.ts';
import { DATASETS, listPictures, readRows, readWhole, type Row } from '#src/features/exports/export-datasets.sql.ts';
import { exportReadyEmail } from '#src/features/exports/exports.mail.tsx';
import * as rules from '#src/features/exports/exports.rules.ts';
import * as exportsSql from '#src/features/exports/exports.sql.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { tenantOf, type Reader, type Scope } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { openText } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { DAY_MS } from '#src/shared/dates.ts';

export type MakingDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'outbox'> & {
  keys: Pick<Keys, 'galleryPasswords'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};

type Made = exportsSql.ExportFile & { rows: number | null };

const WORKER: Scope = { kind: 'system', why: 'the worker makes the copies of every organization' };
const EXPIRE_AT_A_TIME = 20;
const CONTENT_TYPE = { contentType: 'application/octet-stream' };

async function put(
  ctx: MakingDeps,
  exportId: number,
  name: string,
  content: Buffer,
  rows: number | null,
): Promise<Made> {
  const objectKey = rules.dataKey(exportId, name);
  await ctx.storage.put(objectKey, content, { ...CONTENT_TYPE, bytes: content.length });
  return { name, objectKey, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex'), rows };
}

/** Members can see the password of a gallery, so it is exported; the table has it encrypted. */
function opened(ctx: MakingDeps, row: Row): Row {
  const { password } = row;
  return Buffer.isBuffer(password) ? { ...row, password: openText(ctx.keys.galleryPasswords, password) } : row;
}

/** All datasets, and the organization itself. */
async function writeDatasets(ctx: MakingDeps, db: Reader, made: exportsSql.ExportRow) {
  const files: Made[] = [];
  let about: Row = {};
  const ids = { organizationId: made.organizationId, exportId: made.id };
  for (const dataset of DATASETS) {
    const columns = Object.keys(dataset.columns);
    let number = 0;
    const write = async (rows: readonly Row[]) => {
      number += 1;
      if (dataset.name === 'organization') about = rows[0] ?? {};
      const shown = dataset.name === 'galleries' ? rows.map((row) => opened(ctx, row)) : rows;
      const texts = { csv: rules.csvOf(columns, shown), jsonl: rules.jsonLinesOf(shown) };
      for (const ending of ['csv', 'jsonl'] as const) {
        const name = rules.dataFile(dataset.name, number, ending);
        files.push(await put(ctx, made.id, name, Buffer.from(texts[ending], 'utf8'), rows.length));
      }
    };
    for await (const rows of readRows(db, dataset, ids, words.ROWS_A_FILE)) await write(rows);
    if (number === 0) await write([]);
  }
  return { about, files };
}

async function writePictures(
  ctx: MakingDeps,
  db: Reader,
  { id, organizationId }: exportsSql.ExportRow,
): Promise<Made[]> {
  const files: Made[] = [];
  for (const { name, key } of await listPictures(db, organizationId)) {
    const bytes = await ctx.storage.get(key);
    const ending = key.slice(key.lastIndexOf('.') + 1);
    if (bytes) files.push(await put(ctx, id, `pictures/${name}.${ending}`, bytes, null));
  }
  return files;
}

async function writeManifest(
  ctx: MakingDeps,
  made: exportsSql.ExportRow,
  about: Row,
  files: readonly Made[],
): Promise<Made[]> {
  const [originals] = (await ctx.database.read(tenantOf(made), (db) => exportsSql.listParts(db, [made.id]))).reduce(
    ([sum], part) => [{ files: sum.files + part.photos, bytes: sum.bytes + part.contentBytes }],
    [{ files: 0, bytes: 0 }],
  );
  const { id, name, domain_name, kind } = about;
  const madeAt = ctx.clock.now();
  const manifest: words.Manifest = {
    format: words.FORMAT,
    version: words.FORMAT_VERSION,
    made_at: madeAt.toISOString(),
    made_by: siteUrl(ctx.origin, 'www', '/'),
    organization: { id: Number(id), name: String(name), domain_name: String(domain_name), kind: String(kind) },
    files: files.map(({ name: file, rows, bytes, sha256 }) => ({ name: file, rows, bytes, sha256 })),
    originals: originals ?? { files: 0, bytes: 0 },
  };
  const text = (content: string) => Buffer.from(content, 'utf8');
  return [
    await put(ctx, made.id, words.MANIFEST, text(`${JSON.stringify(manifest, null, 1)}\n`), null),
    await put(ctx, made.id, 'readme.txt', text(rules.readmeOf(String(name), madeAt)), null),
  ];
}

/** Makes the export; does nothing for one that has ended. Rejects when the machine is at fault, so that it is made again. */
export async function make(ctx: MakingDeps, exportId: number): Promise<void> {
  const made = await ctx.database.read(WORKER, (db) => exportsSql.findExport(db, exportId));
  if (!made || (made.state !== 'waiting' && made.state !== 'making')) return;
  const scope = tenantOf(made);
  const limits = { partBytes: words.PART_BYTES, partFiles: words.PART_FILES };
  await ctx.database.write(scope, (tx) => exportsSql.planOriginals(tx, made, limits));
  const { about, files } = await ctx.database.snapshot(scope, async (db) => {
    await readWhole(db);
    const written = await writeDatasets(ctx, db, made);
    return { ...written, files: [...written.files, ...(await writePictures(ctx, db, made))] };
  });
  const data = [...(await writeManifest(ctx, made, about, files)), ...files];
  const now = ctx.clock.now();
  await ctx.database.write(WORKER, async (tx) => {
    await exportsSql.insertData(tx, made, data);
    const expiresAt = new Date(now.getTime() + words.KEEP_DAYS * DAY_MS);
    if (!(await exportsSql.markReady(tx, exportId, now, expiresAt))) throw new Error('a person was erased meanwhile');
    const requester = await exportsSql.findRequester(tx, exportId);
    if (!requester) return;
    const { email: to, name, accent, hostLabel, path } = requester;
    const link = siteUrl(ctx.origin, hostLabel, `/${path}/your-data`);
    await ctx.outbox.queueEmail(tx, exportReadyEmail({ exportId, to, name, accent, link }));
  });
}

/** After the last attempt: marks it as failed, so that another one can be requested. */
export async function giveUp(ctx: MakingDeps, exportId: number): Promise<void> {
  await ctx.database.write(WORKER, (tx) => exportsSql.markFailed(tx, exportId));
  await removeObjects(ctx, exportId);
}

async function removeObjects(ctx: MakingDeps, exportId: number): Promise<void> {
  for await (const { key } of ctx.storage.list(`exports/${exportId}/`)) await ctx.storage.remove(key);
}

/** Deletes expired exports, their objects first; the next run removes any that are left. */
export async function expire(ctx: MakingDeps): Promise<number> {
  const ids = await ctx.database.read(WORKER, (db) => exportsSql.listExpired(db, ctx.clock.now(), EXPIRE_AT_A_TIME));
  for (const id of ids) {
    await removeObjects(ctx, id);
    await ctx.database.write(WORKER, (tx) => exportsSql.markExpired(tx, id));
  }
  return ids.length;
}

export const createExportMaking = (deps: MakingDeps) => bind(deps, { make, giveUp, expire });

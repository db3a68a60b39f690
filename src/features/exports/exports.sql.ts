/** Tables of this module: exports, export_files. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

const COLUMNS = [
  'id',
  'organization_id as organizationId',
  'asked_by as askedBy',
  'state',
  'created_at as createdAt',
  'ready_at as readyAt',
  'expires_at as expiresAt',
  'photos',
  'bytes',
] as const;

export type ExportRow = NonNullable<Awaited<ReturnType<typeof findExport>>>;

/** Null while another one is being made. */
export async function insertExport(tx: Writer, organizationId: number, askedBy: number): Promise<number | null> {
  const row = await tx
    .insertInto('exports')
    .values({ organization_id: organizationId, asked_by: askedBy })
    .onConflict((conflict) =>
      conflict.column('organization_id').where('state', 'in', ['waiting', 'making']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findExport(db: Reader, id: number) {
  return (await db.selectFrom('exports').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** How many planned photos of a finished export were left out since (`leaveOut`). */
const UNREADABLE_PHOTOS = sql<number>`case when state = 'ready'
  then photos - (select count(f.photo_id)::int from export_files f where f.export_id = exports.id) else 0 end`;

/** Newest first. */
export async function listExports(db: Reader, organizationId: number, limit: number) {
  return db
    .selectFrom('exports')
    .select([...COLUMNS, UNREADABLE_PHOTOS.as('unreadablePhotos')])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes the plan of an earlier attempt, and plans the originals: which photo is in which part, with which name. */
export async function planOriginals(
  tx: Writer,
  { id, organizationId }: Pick<ExportRow, 'id' | 'organizationId'>,
  limits: { partBytes: number; partFiles: number },
): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(tx);
  await tx.updateTable('exports').set({ state: 'making' }).where('id', '=', id).execute();
  await tx.deleteFrom('export_files').where('export_id', '=', id).execute();
  await sql`
    with wanted as (
      select p.id, p.gallery_id, p.order_key, p.name, p.original_key, p.original_bytes, p.original_sha256
        from photos p join galleries g on g.id = p.gallery_id
       where p.organization_id = ${organizationId} and g.active and p.status = 'ready'
         and p.removed_at is null and p.withdrawn_at is null and p.purged_at is null
    ), placed as (
      select *, row_number() over way as place, sum(original_bytes) over way as upto
        from wanted window way as (order by gallery_id, order_key, id)
    )
    insert into export_files (export_id, part, place, organization_id, name, object_key, bytes, sha256, photo_id)
    select ${id}, 2 + greatest((upto - original_bytes) / ${limits.partBytes}::bigint, (place - 1) / ${limits.partFiles}::int), place, ${organizationId},
           'originals/' || gallery_id || '/' || id || '-' ||
             left(trim(both '-.' from regexp_replace(regexp_replace(name, '\\.jpe?g$', '', 'i'), '[^A-Za-z0-9._-]+', '-', 'g')), 60) || '.jpg',
           original_key, original_bytes, original_sha256, id
      from placed`.execute(tx);
}

export type ExportFile = { name: string; objectKey: string; bytes: number; sha256: string };

/** Puts the data files before the originals. */
export async function insertData(tx: Writer, { id, organizationId }: ExportRow, files: readonly ExportFile[]) {
  const rows = files.map(({ name, objectKey, bytes, sha256 }, index) => ({
    export_id: id,
    part: 1,
    place: index + 1,
    organization_id: organizationId,
    name,
    object_key: objectKey,
    bytes,
    sha256,
  }));
  await tx.insertInto('export_files').values(rows).execute();
}

/** False when the export must start again, because a person was erased meanwhile. */
export async function markReady(tx: Writer, id: number, readyAt: Date, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update exports set state = 'ready', ready_at = ${readyAt}, expires_at = ${expiresAt}, photos = f.photos, bytes = f.bytes
      from (select count(photo_id)::int as photos, coalesce(sum(bytes), 0)::bigint as bytes from export_files where export_id = ${id}) f
     where id = ${id} and state = 'making' returning id`.execute(tx);
  return rows.length > 0;
}

/** Null when it has already ended. */
export async function markFailed(tx: Writer, id: number) {
  const row = await tx
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'making'])
    .returning(['organization_id as organizationId', 'asked_by as askedBy'])
    .executeTakeFirst();
  return row ?? null;
}

/** Leaves out photos that were deleted since, or hidden from the organization itself. */
const STILL_THERE = sql<boolean>`(f.photo_id is null or exists (
  select from photos p where p.id = f.photo_id and p.original_key = f.object_key and p.removed_at is null and p.withdrawn_at is null and p.purged_at is null))`;

export type PartRow = { part: number; files: number; photos: number; contentBytes: number; nameBytes: number };

/** The current contents of the archives of these exports. */
export async function listParts(db: Reader, exportIds: readonly number[]): Promise<(PartRow & { exportId: number })[]> {
  if (exportIds.length === 0) return [];
  const { rows } = await sql<PartRow & { exportId: number }>`
    select f.export_id as "exportId", f.part, count(*)::int as files, count(f.photo_id)::int as photos,
           sum(f.bytes)::bigint as "contentBytes", sum(octet_length(f.name))::int as "nameBytes"
      from export_files f where f.export_id = any (${[...exportIds]}::bigint[]) and ${STILL_THERE}
     group by f.export_id, f.part order by f.export_id, f.part`.execute(db);
  return rows;
}

export type PartFile = {
  place: number;
  name: string;
  objectKey: string;
  bytes: number;
  sha256: string | null;
  crc32: number | null;
};

export async function listFiles(db: Reader, exportId: number, part: number): Promise<PartFile[]> {
  const { rows } = await sql<PartFile>`
    select f.place, f.name, f.object_key as "objectKey", f.bytes, f.sha256, f.crc32 from export_files f
     where f.export_id = ${exportId} and f.part = ${part} and ${STILL_THERE} order by f.place`.execute(db);
  return rows;
}

/** `checksums` are by the position of a file. */
export async function storeChecksums(
  tx: Writer,
  { exportId, part }: { exportId: number; part: number },
  checksums: ReadonlyMap<number, number>,
): Promise<void> {
  await sql`
    update export_files f set crc32 = given.crc32
      from unnest(${[...checksums.keys()]}::int[], ${[...checksums.values()]}::bigint[]) as given (place, crc32)
     where f.export_id = ${exportId} and f.part = ${part} and f.place = given.place`.execute(tx);
}

/** Removes originals from an export; data files stay. */
export async function leaveOut(tx: Writer, exportId: number, objectKeys: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('export_files')
    .where('export_id', '=', exportId)
    .where(sql<boolean>`object_key = any (${[...objectKeys]}::text[])`)
    .where('photo_id', 'is not', null)
    .execute();
}

/** Finished exports whose days are over. */
export async function listExpired(db: Reader, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('exports')
    .select('id')
    .where('state', '=', 'ready')
    .where('expires_at', '<', now)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function markExpired(tx: Writer, id: number): Promise<void> {
  await tx.updateTable('exports').set({ state: 'expired' }).where('id', '=', id).where('state', '=', 'ready').execute();
  await tx.deleteFrom('export_files').where('export_id', '=', id).execute();
}

/** Who requested the export, for its email; null when the account no longer exists. */
export async function findRequester(db: Reader, exportId: number) {
  const { rows } = await sql<{ email: string; name: string; path: string; hostLabel: string; accent: string }>`
    select u.email::text as email, o.name, o.domain_name::text as path, coalesce(parent.domain_name, o.domain_name)::text as "hostLabel", o.primary_color as accent
      from exports e join users u on u.id = e.asked_by and u.deleted_at is null join organizations o on o.id = e.organization_id
      left join organizations parent on parent.id = o.parent_organization_id
     where e.id = ${exportId}`.execute(db);
  return rows[0] ?? null;
}

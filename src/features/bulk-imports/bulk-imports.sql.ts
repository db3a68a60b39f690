/** Tables of this module: bulk_imports, bulk_import_rows. */
import { sql } from 'kysely';
import { NAME_DELETED, type ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { ImportRecord, RowRecord } from '#src/features/bulk-imports/import-answers.rules.ts';
import type { Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

/** Null if the same file is being imported already. */
export async function insertImport(
  tx: Writer,
  fresh: RowOf<'bulk_imports', 'kind' | 'file_name' | 'content_mac' | 'started_by' | 'row_count'>,
): Promise<number | null> {
  const row = await tx
    .insertInto('bulk_imports')
    .values(fresh)
    .onConflict((conflict) => conflict.columns(['kind', 'content_mac']).where('status', '=', 'running').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findRunning(db: Reader, kind: ImportKind, contentMac: Buffer): Promise<number | null> {
  const row = await db
    .selectFrom('bulk_imports')
    .select('id')
    .where('kind', '=', kind)
    .where('content_mac', '=', contentMac)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return row?.id ?? null;
}

export type NewRow = {
  row: number;
  mac: Buffer;
  organizationId: number | null;
  cells: Cells;
  passwordSealed: Buffer | null;
  result: 'skipped' | 'failed' | null;
  messages: readonly string[];
  madeId: number | null;
  madeUserId: number | null;
};

/** Many rows in one statement. */
export async function insertRows(tx: Writer, importId: number, rows: readonly NewRow[]): Promise<void> {
  const facts = JSON.stringify(
    rows.map((row) => ({
      ...row,
      mac: row.mac.toString('base64'),
      passwordSealed: row.passwordSealed?.toString('base64') ?? null,
    })),
  );
  await sql`
    insert into bulk_import_rows (import_id, row_no, row_mac, organization_id, cells, password_sealed, result, messages, made_id, made_user_id)
    select ${importId}, fact.row, decode(fact.mac, 'base64'), fact."organizationId", fact.cells, decode(fact."passwordSealed", 'base64'),
           fact.result, fact.messages, fact."madeId", fact."madeUserId"
      from json_to_recordset(${facts}::json) as fact (row integer, mac text, "organizationId" bigint, cells jsonb,
           "passwordSealed" text, result text, messages text[], "madeId" bigint, "madeUserId" bigint)`.execute(tx);
}

function selectImports(db: Reader) {
  return db
    .selectFrom('bulk_imports as i')
    .innerJoin('users as u', 'u.id', 'i.started_by')
    .select([
      'i.id',
      'i.kind',
      'i.file_name as fileName',
      'i.status',
      'i.row_count as rowCount',
      'i.started_at as startedAt',
      sql<string>`u.first_name || ' ' || u.last_name`.as('startedBy'),
    ]);
}

export async function findImport(db: Reader, importId: number): Promise<ImportRecord | undefined> {
  return selectImports(db).where('i.id', '=', importId).executeTakeFirst();
}

/** Newest first. */
export async function listRecent(db: Reader, kind: ImportKind, limit: number): Promise<ImportRecord[]> {
  return selectImports(db)
    .where('i.kind', '=', kind)
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute();
}

type Counts = { importId: number; created: number; skipped: number; failed: number };

/** The results of these imports so far. Those of an ended import were counted when it ended. */
export async function countResults(db: Reader, importIds: readonly number[]): Promise<Counts[]> {
  const { rows } = await sql<Counts>`
    select id as "importId", created_count as created, skipped_count as skipped, failed_count as failed
      from bulk_imports where id = any (${importIds}::bigint[]) and status <> 'running'
    union all
    select i.id, count(*) filter (where r.result = 'created')::integer, count(*) filter (where r.result = 'skipped')::integer,
           count(*) filter (where r.result = 'failed')::integer
      from bulk_imports i join bulk_import_rows r on r.import_id = i.id
     where i.id = any (${importIds}::bigint[]) and i.status = 'running' group by i.id`.execute(db);
  return rows;
}

export async function listRows(
  db: Reader,
  importId: number,
  page: { after: number; limit: number; result?: 'failed' | undefined },
): Promise<RowRecord[]> {
  let query = db
    .selectFrom('bulk_import_rows')
    .select(['row_no as row', 'result', 'messages', 'made_id as madeId', 'made_user_id as madeUserId', 'cells'])
    .where('import_id', '=', importId)
    .where('row_no', '>', page.after)
    .orderBy('row_no')
    .limit(page.limit);
  if (page.result !== undefined) query = query.where('result', '=', page.result);
  return (await query.execute()) as RowRecord[];
}

/** The newest thing that imports have created from each of these rows. */
export async function listMade(db: Reader, macs: readonly Buffer[]) {
  if (macs.length === 0) return [];
  const { rows } = await sql<{ mac: string; madeId: number; madeUserId: number | null }>`
    select distinct on (r.row_mac) encode(r.row_mac, 'base64') as mac, r.made_id as "madeId", r.made_user_id as "madeUserId"
      from bulk_import_rows r join bulk_imports i on i.id = r.import_id
     where r.result = 'created' and r.row_mac = any (${macs}::bytea[])
     order by r.row_mac, i.started_at desc, i.id desc`.execute(db);
  return rows;
}

/**
 * Deletes the contents and the names of files, long after their imports; returns the number of imports. Imports whose
 * contents were deleted by the previous release still have a name, so names are compared, too.
 */
export async function forgetCells(tx: Writer, olderThanDays: number, limit: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update bulk_imports set file_name = ${NAME_DELETED}, forgotten_at = coalesce(forgotten_at, now())
     where id in (select id from bulk_imports where status <> 'running' and (forgotten_at is null or file_name <> ${NAME_DELETED})
                   and finished_at < now() - make_interval(days => ${olderThanDays}) order by finished_at limit ${limit})
    returning id`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .updateTable('bulk_import_rows')
      .set({ cells: null })
      .where('import_id', '=', (eb) => eb.fn.any(eb.val(ids)))
      .execute();
  return ids.length;
}

export type WaitingRow = Pick<NewRow, 'row' | 'mac' | 'organizationId' | 'cells' | 'passwordSealed'>;

/** The next waiting rows. */
export async function listWaiting(db: Reader, importId: number, limit: number): Promise<WaitingRow[]> {
  return (await db
    .selectFrom('bulk_import_rows')
    .select([
      'row_no as row',
      'row_mac as mac',
      'organization_id as organizationId',
      'cells',
      'password_sealed as passwordSealed',
    ])
    .where('import_id', '=', importId)
    .where('result', 'is', null)
    .orderBy('row_no')
    .limit(limit)
    .execute()) as WaitingRow[];
}

/**
 * Locks a waiting row; false if it was processed meanwhile. A process that imports the same row of another file waits, too:
 * together they create only one account or gallery.
 */
export async function lockWaiting(tx: Writer, importId: number, row: WaitingRow): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${row.mac.toString('base64')}, 27))`.execute(tx);
  const found = await tx
    .selectFrom('bulk_import_rows')
    .select('row_no')
    .where('import_id', '=', importId)
    .where('row_no', '=', row.row)
    .where('result', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found !== undefined;
}

export type RowEnd =
  | { result: 'created' | 'skipped'; madeId: number; madeUserId: number | null }
  | { result: 'failed'; messages: readonly string[] };

/** Ends a row and deletes its password. */
export async function endRow(tx: Writer, importId: number, row: number, end: RowEnd): Promise<void> {
  await tx
    .updateTable('bulk_import_rows')
    .set({
      result: end.result,
      password_sealed: null,
      ...(end.result === 'failed'
        ? { messages: [...end.messages] }
        : { made_id: end.madeId, made_user_id: end.madeUserId }),
    })
    .where('import_id', '=', importId)
    .where('row_no', '=', row)
    .where('result', 'is', null)
    .execute();
}

/** Marks all waiting rows as failed. */
export async function failWaiting(tx: Writer, importId: number, message: string): Promise<void> {
  await tx
    .updateTable('bulk_import_rows')
    .set({ result: 'failed', password_sealed: null, messages: [message] })
    .where('import_id', '=', importId)
    .where('result', 'is', null)
    .execute();
}

/** Ends the import and counts its rows; does nothing if it has ended. */
export async function endImport(tx: Writer, importId: number, status: 'finished' | 'stopped'): Promise<void> {
  await sql`
    update bulk_imports i
       set status = ${status}, finished_at = now(), created_count = c.created, skipped_count = c.skipped, failed_count = c.failed
      from (select count(*) filter (where result = 'created') as created, count(*) filter (where result = 'skipped') as skipped,
                   count(*) filter (where result = 'failed') as failed
              from bulk_import_rows where import_id = ${importId}) c
     where i.id = ${importId} and i.status = 'running'`.execute(tx);
}

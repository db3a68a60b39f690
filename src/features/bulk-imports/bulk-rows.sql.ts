/** What the worker writes of an import, row by row. */
import { sql } from 'kysely';
import type { Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type WaitingRow = {
  row: number;
  mac: Buffer;
  organizationId: number | null;
  cells: Cells;
  passwordSealed: Buffer | null;
};

/** The next rows that nothing was done about. */
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
 * Locks a row that still waits; false when it was done meanwhile. Anyone who has the same row in another file waits, too, so
 * that both together make one thing.
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

/** A row is done: its password goes with this. */
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

/** All rows that still wait have failed. */
export async function failWaiting(tx: Writer, importId: number, message: string): Promise<void> {
  await tx
    .updateTable('bulk_import_rows')
    .set({ result: 'failed', password_sealed: null, messages: [message] })
    .where('import_id', '=', importId)
    .where('result', 'is', null)
    .execute();
}

/** The import is over, and its rows are counted; nothing happens where it was over. */
export async function endImport(tx: Writer, importId: number, status: 'finished' | 'stopped'): Promise<void> {
  await sql`
    update bulk_imports i
       set status = ${status}, finished_at = now(), created_count = c.created, skipped_count = c.skipped, failed_count = c.failed
      from (select count(*) filter (where result = 'created') as created, count(*) filter (where result = 'skipped') as skipped,
                   count(*) filter (where result = 'failed') as failed
              from bulk_import_rows where import_id = ${importId}) c
     where i.id = ${importId} and i.status = 'running'`.execute(tx);
}

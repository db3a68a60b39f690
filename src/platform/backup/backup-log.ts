/**
 * The table `backups`: what ran, when, and how it ended. The scripts write it with the owner's connection; the Health page and
 * the metrics read it.
 */
import type pg from 'pg';
import { withClient } from '#src/platform/db/client.ts';
import type { Reader } from '#src/platform/db/db.ts';

type BackupKind = 'file' | 'folder' | 'verify';
type BackupRun = { kind: BackupKind; startedAt: Date; bytes: number; objects: number; error: string | null };

const MAX_ERROR = 500;
const NO_SUCH_TABLE = '42P01';

/** Records a finished run. Bytes and objects are those written by this run. */
async function noteBackup(client: pg.ClientBase, run: BackupRun): Promise<void> {
  await client.query('insert into backups (kind, started_at, bytes, objects, error) values ($1, $2, $3, $4, $5)', [
    run.kind,
    run.startedAt,
    run.bytes,
    run.objects,
    run.error?.slice(0, MAX_ERROR) ?? null,
  ]);
}

/** Records how a run ended, failures included, and passes on its result. A database from before this table records nothing. */
export async function noted<Wrote extends { bytes: number; objects: number }>(
  ownerUrl: string,
  kind: BackupKind,
  work: () => Promise<Wrote>,
): Promise<Wrote> {
  const startedAt = new Date();
  const note = (run: Pick<BackupRun, 'bytes' | 'objects' | 'error'>) =>
    withClient(ownerUrl, (client) => noteBackup(client, { kind, startedAt, ...run }), 'sideline backup').catch(
      (error: { code?: string }) => {
        if (error.code !== NO_SUCH_TABLE) throw error;
      },
    );
  try {
    const wrote = await work();
    await note({ bytes: wrote.bytes, objects: wrote.objects, error: null });
    return wrote;
  } catch (error) {
    await note({ bytes: 0, objects: 0, error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

/** The newest runs, the newest first. */
export async function listBackups(db: Reader, limit: number) {
  return db
    .selectFrom('backups')
    .select(['id', 'kind', 'started_at as startedAt', 'finished_at as finishedAt', 'bytes', 'objects', 'error'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** When the last run of each kind succeeded; kinds that never did are absent. */
export async function lastSuccesses(db: Reader): Promise<Partial<Record<BackupKind, Date>>> {
  const rows = await db
    .selectFrom('backups')
    .select((eb) => ['kind', eb.fn.max('finished_at').as('at')])
    .where('error', 'is', null)
    .groupBy('kind')
    .execute();
  return Object.fromEntries(rows.map(({ kind, at }) => [kind, at]));
}

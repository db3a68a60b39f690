/** Table processes: each running process writes its own row, and any of them deletes old ones. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

type ProcessSign = {
  /** Made by the process at its start. */
  id: string;
  role: 'web' | 'worker';
  name: string;
  host: string;
  pid: number;
  version: string;
  nodeVersion: string;
  memoryBytes: number;
  /** By the clock of its machine. */
  now: Date;
};

/** A process as it last wrote; `silentSeconds` is counted by the database. */
export type ProcessRow = {
  id: string;
  role: 'web' | 'worker';
  name: string;
  host: string;
  pid: number;
  version: string;
  nodeVersion: string;
  startedAt: Date;
  seenAt: Date;
  silentSeconds: number;
  memoryBytes: number;
  clockAheadMs: number;
};

const FORGOTTEN_AFTER = sql.raw("interval '1 day'");

/** The heartbeat of a process; rows that have been silent for a day are deleted. */
export async function signLife(db: Reader, sign: ProcessSign): Promise<void> {
  await sql`
    with forgotten as (delete from processes where seen_at < now() - ${FORGOTTEN_AFTER} and id <> ${sign.id}::uuid)
    insert into processes as there (id, role, name, host, pid, version, node_version, memory_bytes, clock_ahead_ms)
    values (${sign.id}, ${sign.role}, ${sign.name}, ${sign.host}, ${sign.pid}, ${sign.version}, ${sign.nodeVersion},
            ${sign.memoryBytes}, round(extract(epoch from ${sign.now}::timestamptz - clock_timestamp()) * 1000))
    on conflict (id) do update
       set seen_at = now(), memory_bytes = excluded.memory_bytes, clock_ahead_ms = excluded.clock_ahead_ms`.execute(db);
}

/** A process that stops deletes its row. */
export async function signOff(db: Reader, id: string): Promise<void> {
  await sql`delete from processes where id = ${id}::uuid`.execute(db);
}

/** Those of the last day, by role, machine and name. */
export async function listProcesses(db: Reader): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, role, name, host, pid, version, node_version as "nodeVersion", started_at as "startedAt", seen_at as "seenAt",
           extract(epoch from clock_timestamp() - seen_at)::float8 as "silentSeconds", memory_bytes as "memoryBytes",
           clock_ahead_ms as "clockAheadMs"
      from processes where seen_at > now() - ${FORGOTTEN_AFTER}
     order by role, host, name, started_at desc limit 500`.execute(db);
  return rows;
}

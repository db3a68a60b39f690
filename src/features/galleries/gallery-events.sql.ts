import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

/** Tells all listening processes, when and only when the transaction commits. */
export async function notifyOnCommit(tx: Writer, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(tx);
}

import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

export const PIXELS_GONE = 'pixels_gone';

/** Heard by all processes, when and only when the transaction commits. */
export async function notifyPurgedObjects(tx: Writer, payload: string): Promise<void> {
  await sql`select pg_notify(${PIXELS_GONE}, ${payload})`.execute(tx);
}

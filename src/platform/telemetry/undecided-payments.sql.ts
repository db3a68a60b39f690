/** Payments without an outcome: a cheap statement that reads what waits, and never what is done. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

/** How long the oldest charge or refund with an unknown outcome has waited; 0 if there is none. */
export async function readUndecidedSeconds(db: Reader): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(created_at))::float8, 0) as seconds
      from payment_attempts where state in ('created', 'sent', 'unknown')`.execute(db);
  return rows[0]?.seconds ?? 0;
}

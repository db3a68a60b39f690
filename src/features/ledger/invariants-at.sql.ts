/** The moment for which rows are judged: a charge or a job in progress is not late in a backup that is restored later. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export const MOMENT = sql`coalesce(nullif(current_setting('sideline.judged_at', true), '')::timestamptz, now())`;

/** For the rest of the transaction. */
export async function judgeAt(db: Reader, moment: Date): Promise<void> {
  await sql`select set_config('sideline.judged_at', ${moment.toISOString()}, true)`.execute(db);
}

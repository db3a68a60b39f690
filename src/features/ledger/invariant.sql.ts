/** One invariant (`invariants.sql.ts` has all of them), and the moment for which rows are judged. */
import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export type Violation = { detail: string };
/** `broken`: a query for what violates the rule. */
export type Invariant = { name: string; rule: string; broken: RawBuilder<Violation> };

/** A charge or a job in progress is not late in a backup that is restored later. */
export const MOMENT = sql`coalesce(nullif(current_setting('sideline.judged_at', true), '')::timestamptz, now())`;

/** For the rest of the transaction. */
export async function judgeAt(db: Reader, moment: Date): Promise<void> {
  await sql`select set_config('sideline.judged_at', ${moment.toISOString()}, true)`.execute(db);
}

/** Reset links of forgotten passwords: only the hash of each, one per user. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The newest link of a user; an older one becomes invalid (rule 12). */
export async function putReset(tx: Writer, reset: { tokenHash: Buffer; userId: number; minutes: number }) {
  const fresh = {
    token_hash: reset.tokenHash,
    created_at: sql<Date>`now()`,
    expires_at: sql<Date>`now() + make_interval(mins => ${reset.minutes})`,
  };
  await tx
    .insertInto('password_resets')
    .values({ user_id: reset.userId, ...fresh })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
    .execute();
}

export async function isOpen(db: Reader, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a link; returns its user, or null if it is not valid. */
export async function takeReset(tx: Writer, tokenHash: Buffer): Promise<number | null> {
  const row = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

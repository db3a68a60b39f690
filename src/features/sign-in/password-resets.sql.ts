/** Reset links of forgotten passwords: only the hash of each, one per user. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

type NewReset = { tokenHash: Buffer; userId: number; email: string; minutes: number };

/**
 * The newest link of a user; an older one becomes invalid (rule 12). False, without a link, if the address that it would be
 * sent to is no longer the user's; a change of it waits until the transaction ends.
 */
export async function putReset(tx: Writer, { tokenHash, userId, email, minutes }: NewReset): Promise<boolean> {
  const { rows } = await sql`
    insert into password_resets (user_id, token_hash, created_at, expires_at)
    select id, ${tokenHash}, now(), now() + make_interval(mins => ${minutes}) from users
     where id = ${userId} and email = ${email} and deleted_at is null for share
    on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
       expires_at = excluded.expires_at
    returning user_id`.execute(tx);
  return rows.length > 0;
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
  // The user first, as `putReset` does: otherwise the two wait for each other, and PostgreSQL ends one of them.
  await sql`
    select from users where id = (select user_id from password_resets where token_hash = ${tokenHash}) for no key update`.execute(
    tx,
  );
  const row = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

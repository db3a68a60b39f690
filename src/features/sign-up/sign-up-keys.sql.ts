/** Table of this module: sign_up_keys, which say what account a form has opened already. */
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

/** The user whose account this form opened, and with what content (null: from before it was kept); null while it has opened none. */
export async function findUserOfKey(db: Reader, clientKey: string) {
  const row = await db
    .selectFrom('sign_up_keys')
    .select(['user_id as userId', 'content_mac as contentMac'])
    .where('client_key', '=', clientKey)
    .executeTakeFirst();
  return row ?? null;
}

/** Two at once: the second one breaks the primary key, and nothing of it stays. */
export async function insertKey(
  tx: Writer,
  key: RowOf<'sign_up_keys', 'client_key' | 'content_mac' | 'user_id' | 'opened_by'>,
): Promise<void> {
  await tx.insertInto('sign_up_keys').values(key).execute();
}

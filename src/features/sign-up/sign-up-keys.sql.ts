/** Table of this module: sign_up_keys, the accounts that forms have already opened. */
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

/** The user whose account this form opened, and a hash of its content (null in old rows); null if it has opened none. */
export async function findUserOfKey(db: Reader, clientKey: string) {
  const row = await db
    .selectFrom('sign_up_keys')
    .select(['user_id as userId', 'content_mac as contentMac'])
    .where('client_key', '=', clientKey)
    .executeTakeFirst();
  return row ?? null;
}

/** A simultaneous second insert violates the primary key, and its transaction is rolled back. */
export async function insertKey(
  tx: Writer,
  key: RowOf<'sign_up_keys', 'client_key' | 'content_mac' | 'user_id' | 'opened_by'>,
): Promise<void> {
  await tx.insertInto('sign_up_keys').values(key).execute();
}

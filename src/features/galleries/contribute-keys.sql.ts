/** Keys that allow uploads to a gallery: the gallery's own link (contribute_keys) and personal invites (gallery_invites). */
import { sql } from 'kysely';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

export async function insertKey(
  tx: Writer,
  key: RowOf<
    'contribute_keys',
    'key_hash' | 'key_encrypted' | 'gallery_id' | 'organization_id' | 'expires_at' | 'quota'
  >,
): Promise<void> {
  await tx.insertInto('contribute_keys').values(key).execute();
}

/** Other changes of the gallery's link wait until this transaction ends. */
export async function lockLink(tx: Writer, galleryId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('contribute key', ${galleryId}::bigint))`.execute(tx);
}

/** Ends the gallery's link. Waits for contributions that are being submitted with it; later ones fail. */
export async function revokeKey(tx: Writer, galleryId: number): Promise<void> {
  await tx
    .updateTable('contribute_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('gallery_id', '=', galleryId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** False when the gallery has no link. */
export async function updateKey(
  tx: Writer,
  galleryId: number,
  changes: { expiresAt: Date | null | undefined; quota: number | null | undefined },
): Promise<boolean> {
  const result = await tx
    .updateTable('contribute_keys')
    .set({
      gallery_id: galleryId,
      expires_at: changes.expiresAt,
      quota: changes.quota,
    })
    .where('gallery_id', '=', galleryId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The link of a gallery for its members, also an expired one. */
export async function findKey(db: Reader, galleryId: number) {
  const row = await db
    .selectFrom('contribute_keys')
    .select(['key_hash as keyHash', 'key_encrypted as keyEncrypted', 'expires_at as expiresAt', 'quota'])
    .where('gallery_id', '=', galleryId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

type LiveKey = {
  galleryId: number;
  organizationId: number;
  quota: number | null;
  /** Of a personal key. */
  invite: { id: number; email: string } | null;
};

type LiveRow = Omit<LiveKey, 'invite'> & { inviteId: number | null; email: string | null };

/** Whether the link `k` of a gallery is valid: neither revoked nor expired. */
export const KEY_IS_LIVE = sql<boolean>`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** A valid key; the gallery's link or a personal one. */
export async function findLiveKey(db: Reader, keyHash: Buffer): Promise<LiveKey | null> {
  const { rows } = await sql<LiveRow>`
    select gallery_id as "galleryId", organization_id as "organizationId", quota, null::bigint as "inviteId", null::text as email
      from contribute_keys k where key_hash = ${keyHash} and ${KEY_IS_LIVE}
    union all
    select gallery_id, organization_id, null, id, email::text
      from gallery_invites where key_hash = ${keyHash} and revoked_at is null`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { inviteId, email, ...key } = row;
  return { ...key, invite: inviteId === null || email === null ? null : { id: inviteId, email } };
}

/** Whether the key is still valid; if so, it stays valid until this transaction ends. */
export async function lockLiveKey(tx: Writer, keyHash: Buffer): Promise<boolean> {
  const link = await tx
    .selectFrom('contribute_keys as k')
    .select('gallery_id')
    .where('key_hash', '=', keyHash)
    .where(KEY_IS_LIVE)
    .forShare()
    .executeTakeFirst();
  if (link) return true;
  const invite = await tx
    .selectFrom('gallery_invites')
    .select('id')
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return invite !== undefined;
}

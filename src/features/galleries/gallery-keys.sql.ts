/** Table of this room: gallery_keys, which say what gallery a form has made already. */
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The gallery that this form made; null while it has made none. */
export async function findGalleryOfKey(db: Reader, organizationId: number, clientKey: string): Promise<number | null> {
  const row = await db
    .selectFrom('gallery_keys')
    .select('gallery_id')
    .where('organization_id', '=', organizationId)
    .where('client_key', '=', clientKey)
    .executeTakeFirst();
  return row?.gallery_id ?? null;
}

export async function insertKey(
  tx: Writer,
  key: { organizationId: number; clientKey: string; galleryId: number },
): Promise<void> {
  await tx
    .insertInto('gallery_keys')
    .values({ organization_id: key.organizationId, client_key: key.clientKey, gallery_id: key.galleryId })
    .execute();
}

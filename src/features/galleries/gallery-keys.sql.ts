/** Table of this module: gallery_keys, which say what gallery a form has made already. */
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The gallery that this form made, and of what content (null: from before it was kept); null while it has made none. */
export async function findGalleryOfKey(
  db: Reader,
  organizationId: number,
  clientKey: string,
): Promise<{ galleryId: number; contentMac: Buffer | null } | null> {
  const row = await db
    .selectFrom('gallery_keys')
    .select(['gallery_id as galleryId', 'content_mac as contentMac'])
    .where('organization_id', '=', organizationId)
    .where('client_key', '=', clientKey)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertKey(
  tx: Writer,
  key: { organizationId: number; clientKey: string; contentMac: Buffer; galleryId: number },
): Promise<void> {
  await tx
    .insertInto('gallery_keys')
    .values({
      organization_id: key.organizationId,
      client_key: key.clientKey,
      content_mac: key.contentMac,
      gallery_id: key.galleryId,
    })
    .execute();
}

/** Quarter turns of photos: the requested rotation, and what the renditions show (rule 30). */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { PictureFacts } from '#src/platform/images/images.ts';

type PhotoRef = { galleryId: number; photoId: number };

/** Adds quarter turns to the requested rotation; simultaneous calls add up. Null if there is no such photo, or it failed. */
export async function addTurns(tx: Writer, photo: PhotoRef, turns: number) {
  const { rows } = await sql<{ status: 'processing' | 'ready' }>`
    update photos set turns = (turns + ${turns}::int) % 4
     where id = ${photo.photoId} and gallery_id = ${photo.galleryId} and removed_at is null and status <> 'failed'
    returning status`.execute(tx);
  return rows[0] ?? null;
}

/** Whether the renditions of a photo show the requested rotation, or will once it is ready; also true for removed ones. */
export async function isTurned(db: Reader, photoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photoId)
    .where('removed_at', 'is', null)
    .where('status', '=', 'ready')
    .whereRef('turns', '<>', 'rendered_turns')
    .executeTakeFirst();
  return row === undefined;
}

export type PhotoToDevelop = {
  id: number;
  organizationId: number;
  turns: number;
  pixelVersion: number;
  originalKey: string;
};
type PhotoToTurn = PhotoToDevelop & { galleryId: number; name: string };

/** Null if its renditions show the requested rotation, or it is not ready (ingest rotates it), or removed. */
export async function findPhotoToTurn(db: Reader, photoId: number): Promise<PhotoToTurn | null> {
  const { rows } = await sql<PhotoToTurn>`
    select id, gallery_id as "galleryId", organization_id as "organizationId", name, turns, pixel_version as "pixelVersion", original_key as "originalKey"
      from photos where id = ${photoId} and status = 'ready'
       and removed_at is null and turns <> rendered_turns`.execute(db);
  return rows[0] ?? null;
}

/** False if the pixels or the requested rotation have changed, or the photo was removed; a repair includes removed ones that someone has bought. */
export async function setDeveloped(
  tx: Writer,
  photo: Pick<PhotoToDevelop, 'id' | 'turns' | 'pixelVersion'>,
  { width, height, thumbhash, dhash, sharpness }: PictureFacts,
  { markName, why }: { markName: string; why: 'turn' | 'repair' },
): Promise<boolean> {
  const result = await tx
    .updateTable('photos')
    .set({ width, height, thumbhash, dhash, sharpness, mark_name: markName })
    .set({ rendered_turns: photo.turns, pixel_version: photo.pixelVersion + 1 })
    .where('id', '=', photo.id)
    .where('turns', '=', photo.turns)
    .where('pixel_version', '=', photo.pixelVersion)
    .where('status', '=', 'ready')
    .where(why === 'turn' ? 'removed_at' : 'purged_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Discards the requested rotation: the renditions count as correct again. Returns the photo. */
export async function giveUpTurns(tx: Writer, photoId: number): Promise<{ galleryId: number } | null> {
  const { rows } = await sql<{ galleryId: number }>`
    update photos set turns = rendered_turns where id = ${photoId} and status = 'ready' and turns <> rendered_turns
    returning gallery_id as "galleryId"`.execute(tx);
  return rows[0] ?? null;
}

/** A ready photo whose renditions will be made again; also a removed one that someone has bought. */
export async function findPhotoToRemake(db: Reader, photoId: number): Promise<PhotoToDevelop | null> {
  const { rows } = await sql<PhotoToDevelop>`
    select id, organization_id as "organizationId", turns, pixel_version as "pixelVersion", original_key as "originalKey"
      from photos where id = ${photoId} and status = 'ready'
       and purged_at is null and original_key is not null`.execute(db);
  return rows[0] ?? null;
}

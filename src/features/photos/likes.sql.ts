/** Likes and votes: one per visitor and photo, counted on the photo by a trigger (rule 29). */
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type Reaction = 'like' | 'vote';

const TABLES = { like: 'photo_likes', vote: 'photo_votes' } as const;

/** Doing it twice is the same as once. */
export async function insertReaction(tx: Writer, opinion: Reaction, photoId: number, visitorId: string): Promise<void> {
  const values = { photo_id: photoId, visitor_id: visitorId };
  if (opinion === 'like')
    await tx
      .insertInto('photo_likes')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await tx
      .insertInto('photo_votes')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function deleteReaction(tx: Writer, opinion: Reaction, photoId: number, visitorId: string): Promise<void> {
  await tx.deleteFrom(TABLES[opinion]).where('photo_id', '=', photoId).where('visitor_id', '=', visitorId).execute();
}

/** Null when the photo is not visible within the scope, or not ready: members, too, like only what can be looked at. */
export async function readCounts(
  db: Reader,
  photo: { galleryId: number; photoId: number },
): Promise<{ likes: number; votes: number } | null> {
  const row = await db
    .selectFrom('photos')
    .select(['likes_count as likes', 'votes_count as votes'])
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .where('status', '=', 'ready')
    .executeTakeFirst();
  return row ?? null;
}

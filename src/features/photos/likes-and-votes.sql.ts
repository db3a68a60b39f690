/** Likes and votes, each once for a visitor and a photo; a trigger counts them in the photo. */
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type Reaction = 'like' | 'vote';

const TABLES = { like: 'photo_likes', vote: 'photo_votes' } as const;

/** Idempotent. */
export async function insertReaction(tx: Writer, reaction: Reaction, photoId: number, visitorId: string) {
  await tx
    .insertInto(TABLES[reaction])
    .values({ photo_id: photoId, visitor_id: visitorId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteReaction(tx: Writer, reaction: Reaction, photoId: number, visitorId: string) {
  await tx.deleteFrom(TABLES[reaction]).where('photo_id', '=', photoId).where('visitor_id', '=', visitorId).execute();
}

/** Null if the photo is not visible within the scope, or not ready: members, too, can like only ready photos. */
export async function readCounts(db: Reader, photo: { galleryId: number; photoId: number }) {
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

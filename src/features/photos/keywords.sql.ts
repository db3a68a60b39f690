/** Keywords of photos: unique without case per photo. */
import { sql } from 'kysely';
import type { KeywordAnswer } from '#src/features/photos/photos.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export async function listKeywords(db: Reader, photoId: number): Promise<KeywordAnswer[]> {
  return db.selectFrom('photo_keywords').select(['id', 'name']).where('photo_id', '=', photoId).orderBy('id').execute();
}

export type KeywordOwner = { photoId: number; galleryId: number; organizationId: number };

/** Adds what is not there yet, in the given order. */
export async function insertKeywords(tx: Writer, owner: KeywordOwner, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`insert into photo_keywords (photo_id, gallery_id, organization_id, name)
    select ${owner.photoId}, ${owner.galleryId}, ${owner.organizationId}, given.name
      from unnest(${[...names]}::citext[]) with ordinality as given(name, place) order by given.place
    on conflict (photo_id, name) do nothing`.execute(tx);
}

/** Found only through its photo and gallery (threat 16). False when it was not there. */
export async function deleteKeyword(
  tx: Writer,
  keyword: { keywordId: number; photoId: number; galleryId: number },
): Promise<boolean> {
  const result = await tx
    .deleteFrom('photo_keywords')
    .where('id', '=', keyword.keywordId)
    .where('photo_id', '=', keyword.photoId)
    .where('gallery_id', '=', keyword.galleryId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

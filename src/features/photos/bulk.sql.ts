/** Writes of many photos of one gallery: one statement each, rows locked in the order of their ids. */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

/** Of these ids, the photos that the gallery has, locked until the transaction ends. */
export async function lockPhotos(tx: Writer, galleryId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from photos
    where id = any(${[...ids]}::bigint[]) and gallery_id = ${galleryId} and removed_at is null order by id for no key update`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

export type BulkColumns = { showInGallery?: boolean; priceOverrideCents?: number | null };

/** What someone contributed is shown once there is something to look at. */
const CAN_BE_SEEN = sql<boolean>`gallery_contributor_id is null or status <> 'processing'`;

/**
 * A hidden photo stops being the featured one. Returns how many are now as wished: photos withheld on request stay hidden, and so do
 * contributions that are still being prepared.
 */
export async function updatePhotos(tx: Writer, ids: readonly number[], columns: BulkColumns): Promise<number> {
  const { showInGallery, priceOverrideCents } = columns;
  const rows = await tx
    .updateTable('photos')
    .set({
      ...(showInGallery === undefined ? {} : { show_in_gallery: showInGallery ? CAN_BE_SEEN : false }),
      ...(showInGallery === false ? { featured: false } : {}),
      ...(priceOverrideCents === undefined ? {} : { price_override_cents: priceOverrideCents }),
    })
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .returning('show_in_gallery')
    .execute();
  return rows.filter((row) => showInGallery === undefined || row.show_in_gallery === showInGallery).length;
}

/** Soft, as one by one (rule 26). */
export async function removePhotos(tx: Writer, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ removed_at: sql<Date>`now()`, featured: false })
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute();
}

/** Gives each photo each keyword that it has not yet. Returns whether all still have at most `most`. */
export async function addKeywordsToAll(
  tx: Writer,
  owner: { galleryId: number; organizationId: number; ids: readonly number[] },
  names: readonly string[],
  most: number,
): Promise<boolean> {
  await sql`insert into photo_keywords (photo_id, gallery_id, organization_id, name)
    select photo.id, ${owner.galleryId}, ${owner.organizationId}, given.name
      from unnest(${[...owner.ids]}::bigint[]) as photo(id), unnest(${[...names]}::citext[]) with ordinality as given(name, place)
     order by photo.id, given.place
    on conflict (photo_id, name) do nothing`.execute(tx);
  const { rows } = await sql`select photo_id from photo_keywords where photo_id = any(${[...owner.ids]}::bigint[])
    group by photo_id having count(*) > ${most} limit 1`.execute(tx);
  return rows.length === 0;
}

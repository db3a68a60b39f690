/** Writes one or many photos. Rows are locked by id. Keywords of a photo are unique, ignoring case. */
import { sql, type Updateable } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { Schema } from '#src/platform/db/schema.ts';
import type { KeywordAnswer } from '#src/features/photos/photos.contract.ts';

/**
 * Changes of a gallery's order wait for each other before locking any row. The lock order is the gallery's order, then photos,
 * then the gallery.
 */
export async function lockOrder(tx: Writer, galleryId: number): Promise<void> {
  await sql`${prepared}select pg_advisory_xact_lock(${galleryId}::bigint)`.execute(tx);
}

/** The smallest order key of a gallery, featured or not: two index lookups. Null in an empty gallery. */
export async function findFirstKey(db: Reader, galleryId: number): Promise<string | null> {
  const { rows } = await sql<{ key: string | null }>`
    select least(
      (select order_key from photos where gallery_id = ${galleryId} and removed_at is null and featured limit 1),
      (select order_key from photos where gallery_id = ${galleryId} and removed_at is null and not featured order by order_key limit 1)
    ) as key`.execute(db);
  return rows[0]?.key ?? null;
}

export type ChangedPhoto = Pick<Updateable<Schema['photos']>, 'show_in_gallery' | 'price_override_cents' | 'name'>;

/** False if there is no such photo in this gallery. */
export async function updatePhoto(tx: Writer, photo: { galleryId: number; photoId: number }, changes: ChangedPhoto) {
  const result = await tx
    .updateTable('photos')
    .set(changes)
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The facts that featuring depends on; the photo is locked. */
export async function lockPhoto(tx: Writer, photo: { galleryId: number; photoId: number }) {
  return tx
    .selectFrom('photos')
    .select(['id', 'featured', 'show_in_gallery', 'status'])
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** All other photos of the gallery are no longer featured. They keep their keys, and so move back one position. */
export async function unfeatureAll(tx: Writer, galleryId: number): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ featured: false })
    .where('gallery_id', '=', galleryId)
    .where('featured', '=', true)
    .where('removed_at', 'is', null)
    .execute();
}

/** With a key before all others, so that it stays first when it loses the feature. */
export async function featurePhoto(tx: Writer, photoId: number, orderKey: string): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ featured: true, order_key: orderKey, batch_prefix: null })
    .where('id', '=', photoId)
    .execute();
}

export async function unfeaturePhoto(tx: Writer, photoId: number): Promise<void> {
  await tx.updateTable('photos').set({ featured: false }).where('id', '=', photoId).execute();
}

/** Soft: buyers keep their downloads, and objects may be shared with other photos (rule 26). False if it does not exist. */
export async function removePhoto(tx: Writer, photo: { galleryId: number; photoId: number }): Promise<boolean> {
  const result = await tx
    .updateTable('photos')
    .set({ removed_at: sql<Date>`now()`, featured: false })
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

type PhotoSale = { photoId: number; count: number; salesCents: number };

/**
 * Adds to the sales counters; negative numbers subtract. Rows are locked by id in a separate statement: one that locks and
 * changes them would read their old versions a second time, and then queue behind those who wait for its locks. Parameters are
 * arrays, because for JSON PostgreSQL expects a hundred rows, and reads a table of a few hundred photos completely, twice.
 * @returns those of the photos that are withheld now, and stay so until the transaction ends
 */
export async function addPhotoSales(tx: Writer, sales: readonly PhotoSale[]): Promise<number[]> {
  if (sales.length === 0) return [];
  const ids = [...new Set(sales.map(({ photoId }) => photoId))];
  // Statements of a transaction run in the order in which they are sent. One row needs none: its change locks it.
  const [, { rows }] = await Promise.all([
    ids.length > 1 &&
      sql`${prepared}select from photos where id = any (${ids}::bigint[]) order by id for no key update`.execute(tx),
    sql<{ id: number; isWithheld: boolean }>`${prepared}
    update photos photo set sales_count = photo.sales_count + sale.count, sales_cents = photo.sales_cents + sale.cents
      from (
        select id, sum(count) as count, sum(cents) as cents
          from unnest(${sales.map(({ photoId }) => photoId)}::bigint[], ${sales.map(({ count }) => count)}::integer[], ${sales.map(({ salesCents }) => salesCents)}::bigint[])
               as sale (id, count, cents) group by id
      ) sale
     where photo.id = sale.id returning photo.id, photo.withheld_at is not null as "isWithheld"`.execute(tx),
  ]);
  return rows.filter(({ isWithheld }) => isWithheld).map(({ id }) => id);
}

/** The given photos that are in the gallery, locked until the transaction ends. */
export async function lockPhotos(tx: Writer, galleryId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from photos
    where id = any(${[...ids]}::bigint[]) and gallery_id = ${galleryId} and removed_at is null
    order by id for no key update`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A contribution is shown once it is ready. */
const CAN_BE_SEEN = sql<boolean>`gallery_contributor_id is null or status <> 'processing'`;

/**
 * A hidden photo stops being the featured one. Returns how many now have the wanted value: photos withheld on request stay
 * hidden, and so do contributions that are still being processed.
 */
export async function updatePhotos(tx: Writer, ids: readonly number[], columns: ChangedPhoto): Promise<number> {
  const { show_in_gallery: isShown } = columns;
  const rows = await tx
    .updateTable('photos')
    .set({
      ...columns,
      show_in_gallery: isShown ? CAN_BE_SEEN : isShown,
      featured: isShown === false ? false : undefined,
    })
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .returning('show_in_gallery')
    .execute();
  return rows.filter((row) => isShown === undefined || row.show_in_gallery === isShown).length;
}

/** Soft, like a single photo (rule 26). */
export async function removePhotos(tx: Writer, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ removed_at: sql<Date>`now()`, featured: false })
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute();
}

/** Gives each photo the keywords that it does not have yet. Returns whether all still have at most `most`. */
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

export async function listKeywords(db: Reader, photoId: number): Promise<KeywordAnswer[]> {
  return db.selectFrom('photo_keywords').select(['id', 'name']).where('photo_id', '=', photoId).orderBy('id').execute();
}

type KeywordOwner = { photoId: number; galleryId: number; organizationId: number };

/** Adds new keywords, in the given order. */
export async function insertKeywords(tx: Writer, owner: KeywordOwner, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`insert into photo_keywords (photo_id, gallery_id, organization_id, name)
    select ${owner.photoId}, ${owner.galleryId}, ${owner.organizationId}, given.name
      from unnest(${[...names]}::citext[]) with ordinality as given(name, place) order by given.place
    on conflict (photo_id, name) do nothing`.execute(tx);
}

/** Found only through its photo and gallery (threat 16). False if it does not exist. */
export async function deleteKeyword(tx: Writer, keyword: { keywordId: number; photoId: number; galleryId: number }) {
  const result = await tx
    .deleteFrom('photo_keywords')
    .where('id', '=', keyword.keywordId)
    .where('photo_id', '=', keyword.photoId)
    .where('gallery_id', '=', keyword.galleryId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes keywords of a gallery. */
export async function dropKeywords(tx: Writer, galleryId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('photo_keywords')
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('gallery_id', '=', galleryId)
    .execute();
}

export type PhotoRef = { galleryId: number; photoId: number };

/** The photo of a request to hide it, locked; null if it was removed. */
export async function lockForTakedown(tx: Writer, photo: PhotoRef) {
  const row = await tx
    .selectFrom('photos')
    .select(['name', 'sales_count as salesCount'])
    .select(sql<boolean>`show_in_gallery and status = 'ready'`.as('isShown'))
    .select(sql<boolean>`withheld_at is not null`.as('isWithheld'))
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Hides a photo; a trigger keeps it hidden, whatever else changes, until `releasePhoto`. */
export async function withholdPhoto(tx: Writer, photoId: number): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ withheld_at: sql<Date>`coalesce(withheld_at, now())`, show_in_gallery: false, featured: false })
    .where('id', '=', photoId)
    .execute();
}

/** Shows a withheld photo again; false if it was not withheld. */
export async function releasePhoto(tx: Writer, photoId: number): Promise<boolean> {
  const result = await tx
    .updateTable('photos')
    .set({ withheld_at: null, show_in_gallery: true })
    .where('id', '=', photoId)
    .where('withheld_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function isWithheld(db: Reader, photo: PhotoRef): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('withheld_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether it is a contribution that no one can have seen yet. */
export async function isUnseen(db: Reader, photo: PhotoRef): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('gallery_contributor_id', 'is not', null)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return row !== undefined;
}

/** Objects of its pictures. */
export async function listPictureKeysOf(db: Reader, photoIds: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('renditions')
    .select('object_key')
    .distinct()
    .where('photo_id', 'in', [...photoIds])
    .execute();
  return rows.map((row) => row.object_key);
}

/** Writes galleries, and gallery_keys, the galleries that forms have already created. */
import { sql, type Updateable } from 'kysely';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { Schema } from '#src/platform/db/schema.ts';

/** Columns that editors change; the API names most fields like the table. */
type GalleryColumns = Omit<Updateable<Schema['galleries']>, 'id' | 'organization_id'>;

export async function insertGallery(
  tx: Writer,
  organizationId: number,
  columns: GalleryColumns & { name: string; price_cents: number },
): Promise<number> {
  const row = await tx
    .insertInto('galleries')
    .values({ ...columns, organization_id: organizationId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Removes a price sheet from the galleries that use it, except those of the organization `except`: they return to single prices. */
export async function releasePriceSheet(tx: Writer, sheetId: number, except: number | null): Promise<void> {
  await tx
    .updateTable('galleries')
    .set({ price_sheet_id: null, updated_at: sql<Date>`now()` })
    .where('price_sheet_id', '=', sheetId)
    .$if(except !== null, (query) => query.where('organization_id', '<>', except))
    .execute();
}

/** A new password raises the version, so that proofs of the old one become invalid. */
export async function updateGallery(tx: Writer, galleryId: number, columns: GalleryColumns): Promise<void> {
  await tx
    .updateTable('galleries')
    .set({
      ...columns,
      ...(columns.password_encrypted ? { password_version: sql<number>`password_version + 1` } : {}),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', galleryId)
    .execute();
}

/** The current encrypted password; locks the gallery. */
export async function lockSealedPassword(tx: Writer, galleryId: number): Promise<Buffer | null> {
  const row = await tx
    .selectFrom('galleries')
    .select('password_encrypted')
    .where('id', '=', galleryId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.password_encrypted ?? null;
}

/** The plan of an organization; other transactions that add a gallery to it wait until this one ends (rule 27). */
export async function lockPlan(tx: Writer, organizationId: number): Promise<{ freeTier: boolean } | null> {
  const row = await tx
    .selectFrom('organizations')
    .select('free_tier as freeTier')
    .where('id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function countActive(db: Reader, organizationId: number, most: number): Promise<number> {
  const rows = await db
    .selectFrom('galleries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('active', '=', true)
    .limit(most)
    .execute();
  return rows.length;
}

/** Plan and number of photos of a gallery that accepts photos; others that add to it wait. Null when it is not active. */
export async function lockForPhotos(tx: Writer, galleryId: number) {
  const row = await tx
    .selectFrom('galleries as g')
    .modifyFront(prepared)
    .innerJoin('organizations as o', 'o.id', 'g.organization_id')
    .select(['o.free_tier as freeTier', 'g.photo_count as photoCount'])
    .where('g.id', '=', galleryId)
    .where('g.active', '=', true)
    .where('o.deleted_at', 'is', null)
    .forNoKeyUpdate('g')
    .executeTakeFirst();
  return row ?? null;
}

type GallerySale = { galleryId: number; photos: number; salesCents: number; donationCents: number };

/**
 * Adds to the sales counters; negative numbers subtract. Rows are locked by id in a separate statement, like those of photos
 * (`addPhotoSales`).
 */
export async function addSales(tx: Writer, sales: readonly GallerySale[]): Promise<void> {
  if (sales.length === 0) return;
  const ids = [...new Set(sales.map(({ galleryId }) => galleryId))];
  await Promise.all([
    ids.length > 1 &&
      sql`${prepared}select from galleries where id = any (${ids}::bigint[]) order by id for no key update`.execute(tx),
    sql`${prepared}
    update galleries gallery
       set photos_sold = gallery.photos_sold + sale.photos,
           sales_cents = gallery.sales_cents + sale.sales,
           donations_cents = gallery.donations_cents + sale.donations
      from (
        select id, sum(photos) as photos, sum(sales) as sales, sum(donations) as donations
          from unnest(${sales.map(({ galleryId }) => galleryId)}::bigint[], ${sales.map(({ photos }) => photos)}::integer[], ${sales.map(({ salesCents }) => salesCents)}::bigint[],
                      ${sales.map(({ donationCents }) => donationCents)}::bigint[]) as sale (id, photos, sales, donations) group by id
      ) sale
     where gallery.id = sale.id`.execute(tx),
  ]);
}

/** The gallery that this form created, and a hash of its content (null in old rows); null if it has created none. */
export async function findGalleryOfKey(db: Reader, organizationId: number, clientKey: string) {
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
  key: RowOf<'gallery_keys', 'organization_id' | 'client_key' | 'content_mac' | 'gallery_id'>,
): Promise<void> {
  await tx.insertInto('gallery_keys').values(key).execute();
}

/** Notifies all listening processes, when and only when the transaction commits. */
export async function notifyOnCommit(tx: Writer, channel: string, payload: string): Promise<void> {
  await sql`${prepared}select pg_notify(${channel}, ${payload})`.execute(tx);
}

/**
 * Tables of this module: organization_imports, imported_things, imported_records. It also writes imported rows of other
 * tables with their original dates and positions, which no other use case accepts.
 */
import { sql } from 'kysely';
import type { SettingsPicture } from '#src/features/branding/settings-pictures.contract.ts';
import type { CouponPlan } from '#src/features/coupons/coupon-editing.rules.ts';
import type { RowOf } from '#src/features/imports/imports.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

type Import = { id: number; organizationId: number | null; isFinished: boolean };

/** The import of this export: a new one, or the one that was started. */
export async function beginImport(tx: Writer, sha256: string, startedBy: number): Promise<Import> {
  await sql`
    insert into organization_imports (sha256, started_by)
    values (${sha256}, ${startedBy}) on conflict (sha256) do nothing`.execute(tx);
  const { rows } = await sql<Import>`
    select id, organization_id as "organizationId", finished_at is not null as "isFinished" from organization_imports
     where sha256 = ${sha256} for update`.execute(tx);
  return rows[0] as Import;
}

export async function findAdmin(db: Reader, email: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from users where email = ${email} and role_id = 2 and deleted_at is null`.execute(db);
  return rows[0]?.id ?? null;
}

export async function findParent(db: Reader, domainName: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from organizations where domain_name = ${domainName} and parent_organization_id is null
       and kind = 'organization' and deleted_at is null`.execute(db);
  return rows[0]?.id ?? null;
}

/** The organization's own settings; the terms (share, plan, card keys) are this installation's. */
export async function fillOrganization(tx: Writer, importId: number, id: number, row: RowOf<'organization'>) {
  await sql`update organization_imports set organization_id = ${id} where id = ${importId}`.execute(tx);
  await sql`
    update organizations set primary_color = ${row.primary_color}, default_photo_price_cents = ${row.default_photo_price_cents},
           tablet_ad_url = ${row.tablet_ad_url}, mobile_ad_url = ${row.mobile_ad_url}, time_zone = ${row.time_zone},
           watermark_text = ${row.watermark_text}, watermark_placement = ${row.watermark_placement}, watermark_strength = ${row.watermark_strength}
     where id = ${id}`.execute(tx);
  await sql`
    insert into organization_private (organization_id, contact_phone_number, billing_name, billing_address, billing_email, billing_city, billing_state,
                                      billing_zip, billing_phone_number, tax_id)
    values (${id}, ${row.contact_phone_number}, ${row.billing_name}, ${row.billing_address}, ${row.billing_email}, ${row.billing_city}, ${row.billing_state},
            ${row.billing_zip}, ${row.billing_phone_number}, ${row.tax_id})
    on conflict (organization_id) do update set contact_phone_number = excluded.contact_phone_number, billing_name = excluded.billing_name,
            billing_address = excluded.billing_address, billing_email = excluded.billing_email, billing_city = excluded.billing_city,
            billing_state = excluded.billing_state, billing_zip = excluded.billing_zip, billing_phone_number = excluded.billing_phone_number, tax_id = excluded.tax_id`.execute(
    tx,
  );
  await sql`
    insert into takedown_settings (organization_id, mode) values (${id}, ${row.takedown_mode})
    on conflict (organization_id) do nothing`.execute(tx);
}

/** Access starts when they choose a password with an emailed link; immediately for a confirmed account with the same address. */
export async function insertPerson(tx: Writer, organizationId: number, invitedBy: number, person: RowOf<'people'>) {
  await sql`
    with known as (select id, email_proven_at from users where email = ${person.email} and deleted_at is null),
         made as (insert into users (email, first_name, last_name) select ${person.email}, ${person.first_name}, ${person.last_name}
                   where not exists (select from known) returning id),
         joined as (insert into memberships (user_id, organization_id, role)
                    select id, ${organizationId}, ${person.role}::smallint from known where email_proven_at is not null on conflict do nothing)
    insert into membership_invitations (user_id, organization_id, first_name, last_name, invited_by)
    select id, ${organizationId}, ${person.first_name}, ${person.last_name}, ${invitedBy}
      from (select id from made union all select id from known where email_proven_at is null) waiting
    on conflict do nothing`.execute(tx);
}

export async function insertTaxRate(tx: Writer, organizationId: number, rate: RowOf<'tax_rates'>): Promise<void> {
  await sql`
    insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction)
    values (${organizationId}, ${rate.state}, ${rate.zip_prefix}, ${rate.rate_ppm}, ${rate.jurisdiction})
    on conflict do nothing`.execute(tx);
}

export async function listThings(db: Reader, importId: number, kind: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ oldId: number; newId: number }>`
    select old_id as "oldId", new_id as "newId" from imported_things
     where import_id = ${importId} and kind = ${kind}`.execute(db);
  return new Map(rows.map(({ oldId, newId }) => [oldId, newId]));
}

/** Those that no one has deleted since. */
export async function listGalleries(db: Reader, importId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ oldId: number; newId: number }>`
    select t.old_id as "oldId", t.new_id as "newId" from imported_things t
      join galleries g on g.id = t.new_id and g.active join organizations o on o.id = g.organization_id and o.deleted_at is null
     where t.import_id = ${importId} and t.kind = 'gallery'`.execute(db);
  return new Map(rows.map(({ oldId, newId }) => [oldId, newId]));
}

async function noteThing(tx: Writer, importId: number, kind: string, oldId: number, newId: number): Promise<void> {
  await sql`
    insert into imported_things (import_id, kind, old_id, new_id)
    values (${importId}, ${kind}, ${oldId}, ${newId})`.execute(tx);
}

/** The last state of a price sheet, as the first version of one of the organization's own. */
export async function insertPriceSheet(
  tx: Writer,
  ids: { importId: number; organizationId: number },
  sheet: RowOf<'price_sheets'>,
): Promise<number> {
  const lastOfferId = Math.max(0, ...sheet.content.offers.map((offer) => offer.id));
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into price_sheets (organization_id, name, last_offer_id) values (${ids.organizationId}, ${sheet.name}, ${lastOfferId}) returning id
    ), first_version as (
      insert into price_sheet_versions (sheet_id, version, organization_id, content)
      select id, 1, ${ids.organizationId}, ${JSON.stringify(sheet.content)}::jsonb from made
    )
    select id from made`.execute(tx);
  const id = rows[0]?.id ?? 0;
  await noteThing(tx, ids.importId, 'price sheet', sheet.id, id);
  return id;
}

/** A code that stays valid, without who used it. */
export async function insertCoupon(
  tx: Writer,
  organizationId: number,
  { code, is_made_up: isMadeUp }: RowOf<'coupons'>,
  plan: CouponPlan,
): Promise<void> {
  await sql`
    insert into coupons (organization_id, code, is_made_up, kind, value, max_uses, max_per_person, minimum_cents, first_day, last_day, gallery_ids, sheet_ids)
    values (${organizationId}, ${code}, ${isMadeUp}, ${plan.kind}, ${plan.value}, ${plan.maxUses}, ${plan.maxPerPerson}, ${plan.minimumCents},
            ${plan.firstDay}::date, ${plan.lastDay}::date, ${plan.galleryIds}::bigint[], ${plan.sheetIds}::bigint[])
    on conflict do nothing`.execute(tx);
}

/** A value for each column that the copy has, except `Apart`: the compiler names a column that is not stored. */
type ColumnsOf<Name extends 'contributors' | 'photos', Apart extends keyof RowOf<Name>> = Record<
  Exclude<keyof RowOf<Name>, Apart>,
  unknown
>;

/**
 * The new row's id. Keys are columns that this file names, or fields of a gallery that the copy's schema names, which drops
 * every other; what a copy from before lacks gets the column's default.
 */
async function insertRow(tx: Writer, table: string, row: Record<string, unknown>): Promise<number> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${sql.join(given.map(([column]) => sql.ref(column)))})
    values (${sql.join(given.map(([, value]) => value))}) returning id`.execute(tx);
  return rows[0]?.id ?? 0;
}

/** Only active galleries are imported. Fields of the copy that are not named here have the names of their columns. */
export async function insertGallery(
  tx: Writer,
  ids: { importId: number; organizationId: number },
  gallery: RowOf<'galleries'>,
  more: { sealedPassword: Buffer | null; priceSheetId: number | null },
): Promise<number> {
  const { id: _id, active: _active, password: _password, price_sheet_id: _sheet, ...columns } = gallery;
  const id = await insertRow(tx, 'galleries', {
    ...columns,
    organization_id: ids.organizationId,
    password_encrypted: more.sealedPassword,
    price_sheet_id: more.priceSheetId,
  });
  await noteThing(tx, ids.importId, 'gallery', gallery.id, id);
  return id;
}

export async function insertContributor(
  tx: Writer,
  ids: { importId: number; organizationId: number; galleryId: number },
  person: RowOf<'contributors'>,
): Promise<void> {
  const columns = {
    name: person.name,
    email: person.email,
    site: person.site,
    instagram: person.instagram,
    created_at: person.created_at,
  } satisfies ColumnsOf<'contributors', 'id' | 'gallery_id'>;
  const id = await insertRow(tx, 'gallery_contributors', {
    ...columns,
    gallery_id: ids.galleryId,
    organization_id: ids.organizationId,
  });
  await noteThing(tx, ids.importId, 'contributor', person.id, id);
}

type NewPhoto = {
  importId: number;
  organizationId: number;
  galleryId: number;
  contributorId: number | null;
  uploadKey: string;
  uploadEtag: string;
};

/** Its status is processing until the worker has developed it. */
export async function insertPhoto(tx: Writer, ids: NewPhoto, photo: RowOf<'photos'>): Promise<number> {
  const columns = {
    name: photo.name,
    order_key: photo.order_key,
    turns: photo.turns,
    featured: photo.featured,
    price_override_cents: photo.price_override_cents,
    show_in_gallery: photo.show_in_gallery && !photo.hidden_on_request,
    created_at: photo.created_at,
  } satisfies ColumnsOf<
    'photos',
    'id' | 'gallery_id' | 'gallery_contributor_id' | 'file' | 'sha256' | 'bytes' | 'hidden_on_request' | 'keywords'
  >;
  const id = await insertRow(tx, 'photos', {
    ...columns,
    gallery_id: ids.galleryId,
    organization_id: ids.organizationId,
    upload_key: ids.uploadKey,
    upload_etag: ids.uploadEtag,
    gallery_contributor_id: ids.contributorId,
    withheld_at: photo.hidden_on_request ? sql<Date>`now()` : null,
    reviewed_at: sql<Date>`now()`,
  });
  await sql`
    insert into photo_keywords (photo_id, gallery_id, organization_id, name)
    select ${id}, ${ids.galleryId}, ${ids.organizationId}, given.name
      from unnest(${[...photo.keywords]}::citext[]) with ordinality as given (name, place) order by given.place
    on conflict (photo_id, name) do nothing`.execute(tx);
  await noteThing(tx, ids.importId, 'photo', photo.id, id);
  return id;
}

export type HistoryRow = { place: number; facts: Record<string, unknown> };

/** Idempotent. */
export async function insertHistory(
  tx: Writer,
  ids: { importId: number; organizationId: number },
  dataset: string,
  rows: readonly HistoryRow[],
): Promise<void> {
  await sql`
    insert into imported_records (import_id, dataset, place, organization_id, facts)
    select ${ids.importId}, ${dataset}, given.place, ${ids.organizationId}, given.facts
      from unnest(${rows.map(({ place }) => place)}::int[], ${rows.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) as given (place, facts)
    on conflict do nothing`.execute(tx);
}

export async function savePicture(tx: Writer, organizationId: number, picture: SettingsPicture, key: string) {
  await sql`update organizations set ${sql.ref(`${picture}_key`)} = ${key} where id = ${organizationId}`.execute(tx);
}

export async function finishImport(tx: Writer, importId: number): Promise<void> {
  await sql`update organization_imports set finished_at = now() where id = ${importId}`.execute(tx);
}

/** What members see of consent: settings, held photos, exceptions, and sold photos that were withdrawn. */
import { sql } from 'kysely';
import type { Mode, UnknownConsent } from '#src/features/consent/consent.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

type SettingsRow = {
  mode: Mode;
  unknownConsent: UnknownConsent;
  consentYearly: boolean;
  holdNewPhotos: boolean;
  chosen: boolean;
  notPublished: number;
};

/** The saved settings, or the defaults. */
export async function findSettings(db: Reader, organizationId: number): Promise<SettingsRow> {
  const { rows } = await sql<SettingsRow>`
    select coalesce(s.mode, 'off') as mode, coalesce(s.unknown_consent, 'show') as "unknownConsent",
           coalesce(s.consent_yearly, false) as "consentYearly", coalesce(s.hold_new_photos, true) as "holdNewPhotos",
           s.organization_id is not null as chosen,
           (select count(*)::integer from athletes a
             where a.organization_id = asked.id and a.merged_into is null and a.nameless_at is null
               and effective_consent(a.consent, s.unknown_consent) <> 'yes') as "notPublished"
      from (select ${organizationId}::bigint as id) asked
      left join athlete_settings s on s.organization_id = asked.id`.execute(db);
  return rows[0] as SettingsRow;
}

type ChosenSettings = Pick<SettingsRow, 'mode' | 'unknownConsent' | 'consentYearly' | 'holdNewPhotos'>;

/** A trigger hides and shows photos when the meaning of `unknown` changes. */
export async function saveSettings(tx: Writer, organizationId: number, chosen: ChosenSettings): Promise<void> {
  await sql`
    insert into athlete_settings (organization_id, mode, unknown_consent, consent_yearly, hold_new_photos)
    values (${organizationId}, ${chosen.mode}, ${chosen.unknownConsent}, ${chosen.consentYearly}, ${chosen.holdNewPhotos})
    on conflict (organization_id) do update
      set mode = excluded.mode, unknown_consent = excluded.unknown_consent, consent_yearly = excluded.consent_yearly,
          hold_new_photos = excluded.hold_new_photos`.execute(tx);
}

/** Photos of children who were never asked: the meaning of `unknown` decides about them. */
export async function listPhotosOfUnknown(db: Reader, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct c.photo_id as id from athletes a join photo_children c on c.athlete_id = a.id
     where a.organization_id = ${organizationId} and a.consent = 'unknown'`.execute(db);
  return rows.map(({ id }) => id);
}

type HoldRow = { children: number; teams: number; photos: number; through: string | null };

/** The held photos of a gallery, without damaged ones, which no one ever sees; `through` is in microseconds since 1970. */
export async function findHold(db: Reader, gallery: { id: number; organizationId: number }): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`
    select coalesce((select children from children_not_published(array[${gallery.id}]::bigint[])), 0) as children,
           (select count(*)::integer from gallery_teams where gallery_id = ${gallery.id}) as teams,
           count(*)::integer as photos, (extract(epoch from max(w.at)) * 1000000)::bigint::text as through
      from photo_withholdings w join photos p on p.id = w.photo_id and p.organization_id = w.organization_id
     where w.organization_id = ${gallery.organizationId} and w.cause = 'hold' and p.gallery_id = ${gallery.id}
       and p.removed_at is null and p.status <> 'failed'`.execute(db);
  return rows[0] as HoldRow;
}

/** The held photos of a gallery up to that time; they and their holds are locked, so that a team that is added now waits. */
export async function lockHeld(
  tx: Writer,
  gallery: { id: number; organizationId: number },
  through: string,
): Promise<number[]> {
  // Photos before their holds, as tags and changes of photos lock them.
  const photos = await sql<{ id: number }>`
    select p.id from photo_withholdings w join photos p on p.id = w.photo_id and p.organization_id = w.organization_id
     where w.organization_id = ${gallery.organizationId} and w.cause = 'hold' and p.gallery_id = ${gallery.id}
       and p.status <> 'failed'
     order by p.id for no key update of p`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    select w.photo_id as id from photo_withholdings w
     where w.organization_id = ${gallery.organizationId} and w.cause = 'hold' and w.photo_id = any (${photos.rows.map(({ id }) => id)}::bigint[])
       and (extract(epoch from w.at) * 1000000)::bigint <= ${through}::bigint
     order by w.photo_id for update`.execute(tx);
  return rows.map(({ id }) => id);
}

/** All photos that visitors see of a gallery. */
export async function listShown(db: Reader, gallery: { id: number; organizationId: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from photos p
     where p.organization_id = ${gallery.organizationId} and p.gallery_id = ${gallery.id}
       and p.show_in_gallery and p.removed_at is null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Notes that a member looked for the children on these photos: an undo of tags does not hold them again (decision record 0136). */
export async function noteReleased(
  tx: Writer,
  by: { galleryId: number; organizationId: number; userId: number },
  photoIds: readonly number[],
): Promise<void> {
  await sql`
    insert into photo_checks (photo_id, organization_id, gallery_id, by_user, checked, released)
    select id, ${by.organizationId}, ${by.galleryId}, ${by.userId}, false, true from unnest(${[...photoIds]}::bigint[]) as held (id)
    on conflict (photo_id) do update set released = true`.execute(tx);
}

/** Releases held photos; a trigger shows them if nothing else hides them. */
export async function endHolds(tx: Writer, photoIds: readonly number[]): Promise<void> {
  await sql`
    delete from photo_withholdings where cause = 'hold' and photo_id = any (${[...photoIds]}::bigint[])`.execute(tx);
}

/** The children whose consent hides a photo; null when the gallery has no such photo. */
export async function listHidingChildren(
  db: Reader,
  photo: { photoId: number; galleryId: number },
): Promise<number[] | null> {
  const { rows } = await sql<{ ids: number[] }>`
    select array(select w.source_id from photo_withholdings w where w.photo_id = p.id and w.cause = 'consent' order by 1) as ids
      from photos p where p.id = ${photo.photoId}
       and p.gallery_id = ${photo.galleryId} and p.removed_at is null`.execute(db);
  return rows[0]?.ids ?? null;
}

/** A trigger shows the photo if nothing else hides it. */
export async function insertExceptions(
  tx: Writer,
  made: { photoId: number; organizationId: number; athleteIds: readonly number[]; reason: string; userId: number },
): Promise<void> {
  await sql`
    insert into photo_exceptions (photo_id, athlete_id, organization_id, reason, by_user)
    select ${made.photoId}, id, ${made.organizationId}, ${made.reason}, ${made.userId} from unnest(${[...made.athleteIds]}::bigint[]) as id
    on conflict do nothing`.execute(tx);
}

/** Returns the number of children. */
export async function deleteExceptions(tx: Writer, photoId: number): Promise<number> {
  const { rows } = await sql`delete from photo_exceptions where photo_id = ${photoId} returning athlete_id`.execute(tx);
  return rows.length;
}

/** A photo of an order; or a pass that lost photos, where `photoId` and `galleryId` are null. */
type WithdrawnSale = {
  orderId: number;
  photoId: number | null;
  galleryId: number | null;
  pass: string | null;
  photoIds: number[];
  priceCents: number;
  soldAt: Date;
};

/**
 * For sold photos with a child whose family says no: the lines that are paid and not refunded, and the passes that no
 * longer open them; newest orders first.
 */
export async function listWithdrawnSales(
  db: Reader,
  organizationId: number,
  options: { athleteIds?: readonly number[]; limit: number },
): Promise<WithdrawnSale[]> {
  const only = options.athleteIds ? sql`and w.source_id = any (${[...options.athleteIds]}::bigint[])` : sql``;
  const { rows } = await sql<WithdrawnSale>`
    with forbidden as materialized (
      select w.photo_id, child.id as child from photo_withholdings w join athletes child on child.id = w.source_id
       where w.organization_id = ${organizationId} and w.cause = 'consent' and child.consent = 'no' ${only}),
    gone as materialized (
      select p.id, p.gallery_id, p.withheld_at, greatest(p.created_at, p.reviewed_at) as came from photos p
       where p.organization_id = ${organizationId} and p.id in (select photo_id from forbidden) and p.removed_at is null
         and exists (select from photo_withholdings w where w.photo_id = p.id and w.show_after)),
    had as (
      select s.id as pass_id, s.order_id, p.id as photo_id
        from gone p join galleries g on g.id = p.gallery_id join organizations seller on seller.id = ${organizationId}
        join passes s on s.organization_id = seller.id and p.came < (s.valid_until + 1)::timestamp at time zone seller.time_zone
       where (s.gallery_id = p.gallery_id and p.came < p.withheld_at)
          or (s.gallery_id is null
              and exists (select from photo_tags t where t.photo_id = p.id and greatest(t.at, p.came) < p.withheld_at
                             and (t.athlete_id = s.athlete_id or (t.team_id = s.team_id and t.number = s.number)))
              and (g.price_sheet_id = s.sheet_id or exists (select from pass_galleries x where x.pass_id = s.id and x.gallery_id = g.id)))),
    sold as (
      select o.id as order_id, line.photo_id, line.gallery_id, null as pass, array[line.photo_id] as photo_ids, line.price_cents, o.paid_at
        from order_photos line join orders o on o.id = line.order_id and o.organization_id = line.organization_id
       where line.organization_id = ${organizationId} and line.revoked_at is null and o.status in ('paid', 'partially_refunded')
         and line.photo_id in (select f.photo_id from forbidden f where not is_order_of_family(o.id, o.email_address, f.child))
         and not (line.price_cents = 0 and exists (select from had h where h.order_id = o.id and h.photo_id = line.photo_id))
      union all
      select o.id, null, null, f.name, lost.ids, s.price_cents, o.paid_at
        from passes s join orders o on o.id = s.order_id and o.organization_id = s.organization_id join order_offers f on f.id = s.order_offer_id
        cross join lateral (
          select array_agg(h.photo_id order by h.photo_id) as ids from had h
           where h.pass_id = s.id and h.photo_id in (select f.photo_id from forbidden f where not is_order_of_family(o.id, o.email_address, f.child))) lost
       where s.id in (select pass_id from had) and s.revoked_at is null and o.status in ('paid', 'partially_refunded') and lost.ids is not null)
    select order_id as "orderId", photo_id as "photoId", gallery_id as "galleryId", pass, photo_ids as "photoIds",
           price_cents as "priceCents", paid_at as "soldAt"
      from sold order by order_id desc, photo_id limit ${options.limit}`.execute(db);
  return rows;
}

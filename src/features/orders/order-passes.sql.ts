/** Tables of this module: passes and pass_galleries. Also reads the photos that a pass opens. */
import { sql, type RawBuilder } from 'kysely';
import { isWithdrawn } from '#src/features/order-offers/withdrawn.sql.ts';
import { IS_NEW, isOpened, PHOTOS_OF_PASS } from '#src/features/order-offers/pass-photos.sql.ts';
import { DOWNLOADABLE } from '#src/features/orders/orders.rules.ts';
import type { SoldPass } from '#src/features/order-offers/sold-passes.rules.ts';
import { PLACE } from '#src/features/photos/photo-order.rules.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The passes of the order `o` of organization `seller`, as part of another statement; null without passes. */
export const PASSES_OF_ORDER: RawBuilder<SoldPass[] | null> = sql`(
  select json_agg(json_build_object(
           'id', s.id, 'kind', s.kind, 'name', f.name, 'galleryId', s.gallery_id, 'validUntil', s.valid_until, 'isGrowing', s.valid_until >= (now() at time zone seller.time_zone)::date, 'orderKey', s.order_key,
           'isRevoked', s.revoked_at is not null, 'photoCount', now.photos, 'newCount', now.news, 'boughtIds', now.bought, 'priceCents', s.price_cents,
           'galleries', (select json_agg(json_build_object('galleryId', g.gallery_id, 'priceCents', g.price_cents) order by g.gallery_id)
                           from pass_galleries g where g.pass_id = s.id)) order by s.order_offer_id)
    from passes s join order_offers f on f.id = s.order_offer_id
    cross join lateral (select count(*)::int as photos, (count(*) filter (where ${IS_NEW}))::int as news,
                               coalesce(array_agg(p.id) filter (where s.gallery_id is null and p.id = any (array(select line.photo_id from order_photos line where line.order_id = o.id))), '{}') as bought
                          from ${PHOTOS_OF_PASS} where ${isOpened(sql.ref('seller.time_zone'))}) now
   where s.order_id = o.id)`;

/**
 * Whether a pass of the sold order `o` lost more than half of its photos within thirty days of the sale: taken down, or
 * withheld on request. Photos that the seller hid do not count, nor those that moved and that it has in their new gallery.
 */
export const LOST_MOST: RawBuilder<boolean> = sql<boolean>`exists (
  select from passes s
    cross join lateral (select count(*) as had,
                               count(*) filter (where least(p.removed_at, case when not p.is_shown then p.withheld_at end) <= o.paid_at + interval '30 days') as lost
                          from ${PHOTOS_OF_PASS} cross join lateral (select p.moved_to_id as moved_to) old
                         where p.came <= o.paid_at and (moved_to is null or not exists (select from ${PHOTOS_OF_PASS} where p.id = moved_to))
                           and (p.removed_at is null or p.removed_at > o.paid_at) and (p.is_shown or p.show_in_gallery or p.withheld_at > o.paid_at)) photos
   where s.order_id = o.id and s.revoked_at is null and photos.lost * 2 > photos.had)`;

const OPEN_PASSES = sql`passes s join orders o on o.id = s.order_id join organizations seller on seller.id = s.organization_id`;
const IS_OPEN = sql<boolean>`(s.revoked_at is null and o.status in (${sql.join(DOWNLOADABLE.map((status) => sql.lit(status)))}))`;

/** Photos that the pass lost because of a family, without those that were hidden from the beginning, or by the seller. */
const HAD_UNTIL_WITHDRAWN = sql<boolean>`(
  p.removed_at is null and p.added < p.withheld_at and ${isWithdrawn(sql`p.id`)}
  and exists (select from photo_withholdings w where w.photo_id = p.id and w.show_after))`;

/** Whether a pass's key opens this photo now, or opened it until a family withdrew it; null if the photo is not in the pass. */
export async function passOpens(db: Reader, orderKey: string, photo: { photoId: number; galleryId: number }) {
  const { rows } = await sql<{ opens: boolean }>`
    select bool_or(${isOpened(sql.ref('seller.time_zone'))}) as opens
      from ${OPEN_PASSES}, ${PHOTOS_OF_PASS}
     where p.id = ${photo.photoId} and p.gallery_id = ${photo.galleryId} and s.order_key = ${orderKey} and ${IS_OPEN}
       and (${isOpened(sql.ref('seller.time_zone'))} or ${HAD_UNTIL_WITHDRAWN})
    having count(*) > 0`.execute(db);
  return rows[0] ? (rows[0].opens ? ('opens' as const) : ('withdrawn' as const)) : null;
}

/** `addedAt` in microseconds since 1970, as a position in the list. */
type PassPhotoRow = { id: number; galleryId: number; name: string; addedAt: string };

/** The photos of a pass with available downloads, newest first, by key; it is found by its order's address. */
export async function listPassPhotos(
  db: Reader,
  pass: { vanityId: string; passId: number },
  page: { after: Pick<PassPhotoRow, 'id' | 'addedAt'> | null; limit: number },
): Promise<PassPhotoRow[]> {
  const { after } = page;
  const micros = sql`(extract(epoch from p.added) * 1000000)::bigint`;
  const { rows } = await sql<PassPhotoRow>`
    select p.id, p.gallery_id as "galleryId", p.name, ${micros}::text as "addedAt"
      from ${OPEN_PASSES} join ${PHOTOS_OF_PASS} on ${isOpened(sql.ref('seller.time_zone'))}
     where s.id = ${pass.passId} and o.vanity_id = ${pass.vanityId} and ${IS_OPEN}
       and (${after === null} or (${micros}, p.id) < (${after?.addedAt ?? '0'}::bigint, ${after?.id ?? 0}::bigint))
     order by ${micros} desc, p.id desc limit ${page.limit}`.execute(db);
  return rows.map((row) => ({ ...row, name: photoTitle(row.name, row.id) }));
}

/** The photos of a pass for an archive, in the order of the gallery; of all passes of the order if none is given. */
export async function listPassLines(
  db: Reader,
  wanted: { orderId: number; passId: number | null; onlyNew: boolean },
): Promise<{ passId: number; photoId: number; galleryId: number }[]> {
  const { rows } = await sql<{ passId: number; photoId: number; galleryId: number }>`
    select s.id as "passId", p.id as "photoId", p.gallery_id as "galleryId"
      from ${OPEN_PASSES} join ${PHOTOS_OF_PASS} on ${isOpened(sql.ref('seller.time_zone'))}
     where o.id = ${wanted.orderId} and (${wanted.passId === null} or s.id = ${wanted.passId ?? 0}) and ${IS_OPEN}
       and (${!wanted.onlyNew} or ${IS_NEW})
     order by s.order_offer_id, ${sql.raw(PLACE)}`.execute(db);
  return rows;
}

/** Everything before this time (text) is in the planned archive. A photo in preparation belongs to the next one. */
export async function momentOfArchive(db: Reader, orderId: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select least(clock_timestamp(), min(p.created_at))::text as at
      from passes s join photos p on p.gallery_id = s.gallery_id and p.status = 'processing' and p.removed_at is null and p.created_at > now() - interval '1 hour'
     where s.order_id = ${orderId}`.execute(db);
  return rows[0]?.at ?? new Date().toISOString();
}

/** Photos that came before this time were downloaded. */
export async function markDownloaded(tx: Writer, passIds: readonly number[], at: string): Promise<void> {
  await sql`
    update passes set last_download_at = greatest(last_download_at, ${at}::timestamptz)
     where id = any (${[...passIds]}::bigint[])`.execute(tx);
}

/** Passes that an order is about to buy: of galleries, and of athletes by price sheet. */
type PassesQuery = {
  galleryIds: readonly number[];
  athletes: readonly { athleteId: number | null; teamId: number | null; number: string | null; sheetId: number }[];
};

const nameOf = ({ athleteId, teamId, number, sheetId }: PassesQuery['athletes'][number]) =>
  `${athleteId ?? ''} ${teamId ?? ''} ${number ?? ''} ${sheetId}`;

/** Waits for other orders that are buying one of these passes for the same address. */
export async function lockPassesOf(tx: Writer, email: string, { galleryIds, athletes }: PassesQuery): Promise<void> {
  const names = [...galleryIds.map(String), ...athletes.map(nameOf)];
  await sql`
    select pg_advisory_xact_lock(hashtextextended('pass ' || lower(${email}) || ' ' || name, 0))
      from unnest(${names}::text[]) as name order by name`.execute(tx);
}

const athletesOf = (athletes: PassesQuery['athletes']) => sql`
  unnest(${athletes.map((one) => one.athleteId)}::bigint[], ${athletes.map((one) => one.teamId)}::bigint[],
         ${athletes.map((one) => one.number)}::text[], ${athletes.map((one) => one.sheetId)}::bigint[])
    as asked (athlete_id, team_id, number, sheet_id)`;

export type OwnPassQuery = PassesQuery & { email: string; today: string; besideKey: string };

/** An order of the same buyer with one of these passes that still grows; null without one. */
export async function findOwnPass(db: Reader, wanted: OwnPassQuery): Promise<{ id: number; vanityId: string } | null> {
  const isAthlete =
    wanted.athletes.length === 0
      ? sql``
      : sql`or s.id in (
          select q.id from ${athletesOf(wanted.athletes)} join passes q on q.sheet_id = asked.sheet_id
             and (q.athlete_id = asked.athlete_id or (q.team_id = asked.team_id and q.number = asked.number)))`;
  const { rows } = await sql<{ id: number; vanityId: string }>`
    select o.id, o.vanity_id as "vanityId"
      from passes s join orders o on o.id = s.order_id
     where (s.gallery_id = any (${[...wanted.galleryIds]}::bigint[]) ${isAthlete}) and s.revoked_at is null and s.valid_until >= ${wanted.today}::date
       and o.email_address = ${wanted.email}::citext and o.status in ('pending', 'paid', 'partially_refunded', 'disputed')
       and o.checkout_key <> ${wanted.besideKey}
     order by o.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The subjects of an order's passes, and the seller's day. */
export async function listPassesOf(db: Reader, orderId: number): Promise<PassesQuery & { today: string }> {
  const { rows } = await sql<PassesQuery & { today: string }>`
    select coalesce((select array_agg(p.gallery_id) from passes p where p.order_id = o.id and p.gallery_id is not null), '{}') as "galleryIds",
           coalesce((select json_agg(json_build_object('athleteId', p.athlete_id, 'teamId', p.team_id, 'number', p.number, 'sheetId', p.sheet_id))
                       from passes p where p.order_id = o.id and p.kind = 'athlete_pass'), '[]') as athletes,
           (now() at time zone seller.time_zone)::date::text as today
      from orders o join organizations seller on seller.id = o.organization_id where o.id = ${orderId}`.execute(db);
  return rows[0] ?? { galleryIds: [], athletes: [], today: '' };
}

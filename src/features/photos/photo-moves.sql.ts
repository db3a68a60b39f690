/**
 * A photo that moves to another gallery becomes a new photo of it with the same objects, and is removed from the one that it
 * leaves. So orders, receipts and links of what was sold stay as they are, like those of every removed photo (rule 26).
 */
import { sql } from 'kysely';
import { removePhotos } from '#src/features/photos/photo-writes.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type MovingPhoto = {
  id: number;
  newId: number;
  name: string;
  takenAt: Date;
  /** Not ready, being rotated, of a contributor, or someone asked to hide it: their page and their request name this photo. */
  stays: boolean;
  isWithheld: boolean;
};

/** These photos, which are locked, each with an id for its new gallery. In a statement of its own, which sees what the lock waited for. */
export async function listMoving(tx: Writer, ids: readonly number[]): Promise<MovingPhoto[]> {
  const { rows } = await sql<MovingPhoto>`
    select p.id, random_id() as "newId", p.name, coalesce(p.captured_at, p.created_at) as "takenAt", p.withheld_at is not null as "isWithheld",
           p.status <> 'ready' or p.turns <> p.rendered_turns or p.gallery_contributor_id is not null
             or exists (select from takedowns t where t.photo_id = p.id and t.organization_id = p.organization_id and t.state = 'open')
             or exists (select from photo_withholdings w where w.photo_id = p.id and w.cause = 'takedown') as stays
      from photos p where p.id = any (${[...ids]}::bigint[]) order by p.id`.execute(tx);
  return rows;
}

/** Those that are in the other gallery already: who did not get the answer sends them again. */
export async function listMoved(
  tx: Writer,
  { ids, galleryId, targetId }: { ids: readonly number[]; galleryId: number; targetId: number },
): Promise<Pick<MovingPhoto, 'id' | 'newId'>[]> {
  const { rows } = await sql<Pick<MovingPhoto, 'id' | 'newId'>>`
    select old.id, p.id as "newId" from photos old join photos p on p.id = old.moved_to_id and p.organization_id = old.organization_id
     where old.id = any (${[...ids]}::bigint[]) and old.gallery_id = ${galleryId} and p.gallery_id = ${targetId} and p.removed_at is null
     order by old.id`.execute(tx);
  return rows;
}

/** Both galleries, after their photos. False if the one that gets the photos was deleted. */
export async function lockBoth(tx: Writer, galleryId: number, targetId: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from galleries where id = any (${[galleryId, targetId]}::bigint[]) and active
     order by id for no key update`.execute(tx);
  return rows.some(({ id }) => id === targetId);
}

export type Moved = { from: readonly number[]; to: readonly number[] };

const pairs = ({ from, to }: Moved) =>
  sql`unnest(${[...from]}::bigint[], ${[...to]}::bigint[]) as pair (old_id, new_id)`;

/**
 * The new photos, shown if the old ones are or would be without their causes; without tags. Keys are positions. They came when
 * the old ones did: their day if the camera says none, and what passes that have ended still open.
 */
export async function insertMoved(
  tx: Writer,
  target: { galleryId: number; organizationId: number },
  moved: Moved & { keys: readonly string[] },
): Promise<void> {
  const { galleryId, organizationId } = target;
  await sql`
    insert into photos (id, gallery_id, organization_id, name, status, order_key, show_in_gallery, price_override_cents, width, height,
           thumbhash, captured_at, exif, iptc, turns, rendered_turns, original_key, original_sha256, original_bytes, pixel_version, mark_name, dhash, sharpness,
           created_at, reviewed_at)
    select place.new_id, ${galleryId}, ${organizationId}, p.name, p.status, place.key,
           p.show_in_gallery or exists (select from photo_withholdings w where w.photo_id = p.id and w.show_after), p.price_override_cents,
           p.width, p.height, p.thumbhash, p.captured_at, p.exif, p.iptc, p.turns, p.rendered_turns, p.original_key, p.original_sha256,
           p.original_bytes, p.pixel_version, p.mark_name, p.dhash, p.sharpness, p.created_at, p.reviewed_at
      from unnest(${[...moved.from]}::bigint[], ${[...moved.to]}::bigint[], ${[...moved.keys]}::text[]) as place (old_id, new_id, key)
      join photos p on p.id = place.old_id and p.organization_id = ${organizationId}`.execute(tx);
  await sql`
    insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
    select pair.new_id, r.size, r.mark, r.format, r.pixel_version, r.object_key, r.sha256, r.bytes, r.width, r.height
      from ${pairs(moved)} join renditions r on r.photo_id = pair.old_id`.execute(tx);
  await sql`
    insert into photo_keywords (photo_id, gallery_id, organization_id, name)
    select pair.new_id, ${galleryId}, ${organizationId}, k.name
      from ${pairs(moved)} join photo_keywords k on k.photo_id = pair.old_id order by pair.new_id, k.id`.execute(tx);
  for (const table of ['photo_likes', 'photo_votes'] as const)
    await sql`
      insert into ${sql.table(table)} (photo_id, visitor_id, created_at)
      select pair.new_id, l.visitor_id, l.created_at
        from ${pairs(moved)} join ${sql.table(table)} l on l.photo_id = pair.old_id`.execute(tx);
}

/**
 * Removes the old photos, which name the new ones. Something may have hidden the old photo that does not hide the new one
 * (no one has checked it, and its new gallery has no teams): it stays hidden until a member shows it.
 */
export async function endMove(tx: Writer, { from, to }: Moved, withheld: readonly number[]): Promise<void> {
  await removePhotos(tx, from);
  await sql`update photos p set moved_to_id = pair.new_id from ${pairs({ from, to })} where p.id = pair.old_id`.execute(
    tx,
  );
  const wereHidden = to.filter((_, at) => withheld.includes(from[at] ?? 0));
  if (wereHidden.length > 0)
    await sql`update photos set show_in_gallery = false
      where id = any (${wereHidden}::bigint[]) and show_in_gallery and withheld_at is null`.execute(tx);
}

export type PhotoPlace = { galleryId: number; photoId: number };
export type PhotoPlaceRef = PhotoPlace & { organizationId: number };

/** A photo may be moved again and again: beyond this number its old links lead nowhere. */
const MOVES_FOLLOWED = 100;

/** Where photos that moved are now, perhaps removed, by the old id; those that did not move are left out. One query. */
export async function listNewPlaces(
  db: Reader,
  organizationId: number,
  photoIds: readonly number[],
): Promise<{ old: PhotoPlace; now: PhotoPlace }[]> {
  const { rows } = await sql<{ old: PhotoPlace; now: PhotoPlace }>`
    with recursive trail as (
      select id as old_id, gallery_id as old_gallery_id, id, gallery_id, moved_to_id, 0 as moves from photos
       where id = any (${[...photoIds]}::bigint[]) and organization_id = ${organizationId} and moved_to_id is not null
      union all
      select t.old_id, t.old_gallery_id, p.id, p.gallery_id, p.moved_to_id, t.moves + 1
        from trail t join photos p on p.id = t.moved_to_id and p.organization_id = ${organizationId}
       where t.moves < ${MOVES_FOLLOWED})
    select json_build_object('galleryId', old_gallery_id, 'photoId', old_id) as old,
           json_build_object('galleryId', gallery_id, 'photoId', id) as now
      from trail where moved_to_id is null`.execute(db);
  return rows;
}

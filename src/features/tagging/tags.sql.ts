/** Tables of this module: photo_tags, photo_checks and tagging_batches as one call changes them. */
import { sql } from 'kysely';
import type { TagsAnswer } from '#src/features/tagging/tagging.contract.ts';
import type { Entry, NewTag, OldTag, TagPlan } from '#src/features/tagging/tags.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Other changes of the gallery's tags wait. */
export async function lockTagging(tx: Writer, galleryId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('tagging ' || ${galleryId}::bigint, 0))`.execute(tx);
}

/**
 * Locks the athletes whose consent decides about these photos, before and after. Athletes are locked before photos, as
 * in changes of consent (decision record 0105).
 */
export async function lockAthletes(tx: Writer, ids: readonly number[], photoIds: readonly number[]): Promise<void> {
  await sql`select from athletes where id = any(${[...ids]}::bigint[]) or id in (
      select athlete_id from photo_tags where photo_id = any(${[...photoIds]}::bigint[]) and athlete_id is not null
      union select e.athlete_id from photo_tags t join entries e on e.team_id = t.team_id and e.number = t.number
             where t.photo_id = any(${[...photoIds]}::bigint[]) and t.athlete_id is null)
    order by id for share`.execute(tx);
}

/** What an unknown consent means in the organization stays as it is. After athletes and before photos, as new tags lock it. */
export async function lockUnknownConsent(tx: Writer, organizationId: number): Promise<void> {
  await sql`select hold_consent_settings(array[${organizationId}]::bigint[])`.execute(tx);
}

/** The stored answer to this key; null for a new key. */
export async function findBatch(tx: Reader, galleryId: number, clientKey: string): Promise<TagsAnswer | null> {
  const { rows } = await sql<{ answer: Omit<TagsAnswer, 'undo' | 'held' | 'shown'> & Partial<TagsAnswer> }>`
    select answer from tagging_batches where gallery_id = ${galleryId} and client_key = ${clientKey}`.execute(tx);
  // A release that did not answer it may have kept this one.
  return rows[0] ? { undo: [], held: [], shown: [], ...rows[0].answer } : null;
}

export async function insertBatch(
  tx: Writer,
  batch: { galleryId: number; organizationId: number; clientKey: string; answer: TagsAnswer },
): Promise<void> {
  await sql`insert into tagging_batches (gallery_id, client_key, organization_id, answer)
    values (${batch.galleryId}, ${batch.clientKey}, ${batch.organizationId}, ${JSON.stringify(batch.answer)}::jsonb)`.execute(
    tx,
  );
}

/** The day on which a photo was taken, by its camera; else the day of its upload in the organization's time zone. */
export const PHOTO_DAY = `coalesce(substring(p.exif->>'takenAt' from '^[0-9]{4}-[0-9]{2}-[0-9]{2}'),
  (p.created_at at time zone o.time_zone)::date::text)`;

/** Existing photos of a gallery, with their days. */
export async function listPhotoDays(db: Reader, galleryId: number, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; day: string }>`
    select p.id, ${sql.raw(PHOTO_DAY)} as day from photos p join organizations o on o.id = p.organization_id
     where p.id = any(${[...ids]}::bigint[]) and p.gallery_id = ${galleryId} and p.removed_at is null`.execute(db);
  return rows;
}

/** The current athletes of these ids, without those of other organizations. */
export async function findAthletes(db: Reader, organizationId: number, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ asked: number; id: number }>`
    select id as asked, coalesce(merged_into, id) as id from athletes
     where id = any(${[...ids]}::bigint[]) and organization_id = ${organizationId}`.execute(db);
  return rows;
}

/** The organization's teams among these, and the teams in play. */
export async function findTeams(
  db: Reader,
  { galleryId, organizationId, teamIds }: { galleryId: number; organizationId: number; teamIds: readonly number[] },
) {
  const { rows } = await sql<{ id: number; plays: boolean }>`
    select t.id, exists (select from gallery_teams g where g.gallery_id = ${galleryId} and g.team_id = t.id) as plays from teams t
     where t.organization_id = ${organizationId}
       and (t.id = any(${[...teamIds]}::bigint[]) or t.id in (select team_id from gallery_teams where gallery_id = ${galleryId}))`.execute(
    db,
  );
  return rows;
}

/** Entries of these athletes, also of merged ones, and of everyone who ever wore these numbers. */
export async function listEntries(
  db: Reader,
  organizationId: number,
  lookups: { athleteIds: readonly number[]; worn: readonly { teamId: number; number: string }[] },
): Promise<Entry[]> {
  if (lookups.athleteIds.length + lookups.worn.length === 0) return [];
  const { rows } = await sql<Entry>`
    select athlete_id as "athleteId", team_id as "teamId", number, joined_on::text as "joinedOn", left_on::text as "leftOn"
      from entries where organization_id = ${organizationId} and id in (
        select e.id from entries e where e.athlete_id in (
          select coalesce(a.merged_into, a.id) from athletes a
           where a.id = any(${[...lookups.athleteIds]}::bigint[]) and a.organization_id = ${organizationId})
        union all
        select e.id from unnest(${lookups.worn.map(({ teamId }) => teamId)}::bigint[], ${lookups.worn.map(({ number }) => number)}::text[])
                           as worn (team_id, number) join entries e on e.team_id = worn.team_id and e.number = worn.number)`.execute(
    db,
  );
  return rows;
}

const columnsOf = (tags: readonly OldTag[]) =>
  sql`unnest(${tags.map(({ photoId }) => photoId)}::bigint[], ${tags.map(({ athleteId }) => athleteId)}::bigint[],
             ${tags.map(({ teamId }) => teamId)}::bigint[], ${tags.map(({ number }) => number)}::text[])`;

/** Returns what was there and is gone. */
export async function deleteTags(tx: Writer, galleryId: number, tags: readonly OldTag[]): Promise<NewTag[]> {
  if (tags.length === 0) return [];
  const { rows } =
    await sql<NewTag>`delete from photo_tags t using ${columnsOf(tags)} as gone (photo_id, athlete_id, team_id, number)
    where t.photo_id = gone.photo_id and t.gallery_id = ${galleryId}
      and (t.athlete_id = gone.athlete_id or (gone.athlete_id is null and t.team_id = gone.team_id and t.number = gone.number))
    returning t.photo_id as "photoId", t.athlete_id as "athleteId", t.team_id as "teamId", t.number, t.how`.execute(tx);
  return rows;
}

/** Existing tags stay unchanged. Returns the new ones. */
export async function insertTags(
  tx: Writer,
  by: { galleryId: number; organizationId: number; userId: number | null },
  tags: readonly NewTag[],
): Promise<OldTag[]> {
  if (tags.length === 0) return [];
  const { rows } =
    await sql<OldTag>`insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, team_id, number, how, by_user)
    select ${by.organizationId}, ${by.galleryId}, fresh.photo_id, fresh.athlete_id, fresh.team_id, fresh.number, fresh.how, ${by.userId}
      from rows from (${columnsOf(tags)}, unnest(${tags.map(({ how }) => how)}::text[])) as fresh (photo_id, athlete_id, team_id, number, how)
     order by fresh.photo_id
    on conflict do nothing
    returning photo_id as "photoId", athlete_id as "athleteId", team_id as "teamId", number`.execute(tx);
  return rows;
}

/**
 * Tags of photos that move to another gallery, on their new photos: as old as they were, so that watches tell of none that
 * is older than their last email about that gallery.
 */
export async function copyTags(
  tx: Writer,
  galleryId: number,
  { from, to }: { from: readonly number[]; to: readonly number[] },
): Promise<void> {
  await sql`insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, team_id, number, how, by_user, at)
    select t.organization_id, ${galleryId}, pair.new_id, t.athlete_id, t.team_id, t.number, t.how, t.by_user, t.at
      from unnest(${[...from]}::bigint[], ${[...to]}::bigint[]) as pair (old_id, new_id) join photo_tags t on t.photo_id = pair.old_id
     order by pair.new_id`.execute(tx);
}

/** Marks photos with no one to name, and photos that must be checked again; a released one stays released. */
export async function setChecks(
  tx: Writer,
  by: { galleryId: number; organizationId: number; userId: number | null },
  checks: TagPlan['checks'],
): Promise<void> {
  const idsOf = (checked: boolean) => checks.filter((one) => one.checked === checked).map(({ photoId }) => photoId);
  const [on, off] = [idsOf(true), idsOf(false)];
  if (off.length > 0) {
    const of = sql`photo_id = any(${off}::bigint[]) and gallery_id = ${by.galleryId} and checked`;
    await sql`delete from photo_checks where ${of} and not released`.execute(tx);
    await sql`update photo_checks set checked = false where ${of}`.execute(tx);
  }
  if (on.length > 0)
    await sql`insert into photo_checks (photo_id, organization_id, gallery_id, by_user)
      select id, ${by.organizationId}, ${by.galleryId}, ${by.userId} from unnest(${on}::bigint[]) as seen (id)
      on conflict (photo_id) do update set checked = true, by_user = excluded.by_user, at = now()
       where not photo_checks.checked`.execute(tx);
}

/** Holds those of these photos that no longer have a tag or a check and were not released, in galleries that hold new photos (function `hold_unseen`). */
export async function holdUnseen(tx: Writer, galleryId: number, photoIds: readonly number[]): Promise<void> {
  if (photoIds.length === 0) return;
  await sql`select hold_unseen(array[${galleryId}]::bigint[], ${[...photoIds]}::bigint[])`.execute(tx);
}

/** Of these photos, those that this transaction hides because of a consent, or holds. */
export async function listHiddenNow(tx: Writer, ids: readonly number[], cause: 'consent' | 'hold'): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct photo_id as id from photo_withholdings
     where photo_id = any(${[...ids]}::bigint[]) and cause = ${cause} and at = now() order by photo_id`.execute(tx);
  return rows.map(({ id }) => id);
}

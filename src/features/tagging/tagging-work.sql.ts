/** Tables of this module: tagging_runs, and expired tagging_batches; also keywords that are numbers. */
import { sql } from 'kysely';
import { BATCH_DAYS } from '#src/features/tagging/tagging.contract.ts';
import { PHOTO_DAY } from '#src/features/tagging/tags.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Ends a person's run, and all expired ones. */
export async function endRuns(tx: Writer, galleryId: number, userId: number): Promise<void> {
  await sql`
    delete from tagging_runs where gallery_id = ${galleryId} and (user_id = ${userId} or until <= now())`.execute(tx);
}

/** The next photos that no one has tagged, checked or taken, in order, up to another person's run. */
export async function listNext(tx: Reader, galleryId: number, count: number) {
  const { rows } = await sql<{ id: number; orderKey: string }>`
    with free as materialized (
      select p.id, p.order_key from photos p
       where p.gallery_id = ${galleryId} and p.removed_at is null and p.status = 'ready'
         and not exists (select from photo_tags t where t.photo_id = p.id) and not exists (select from photo_checks c where c.photo_id = p.id and c.checked)
         and not exists (select from tagging_runs r where r.gallery_id = p.gallery_id and p.order_key between r.first_key and r.last_key))
    select id, order_key as "orderKey" from free
     where not exists (select from tagging_runs r where r.gallery_id = ${galleryId} and r.first_key < free.order_key
                          and r.first_key > (select min(order_key) from free))
     order by order_key, id limit ${count}`.execute(tx);
  return rows;
}

export async function insertRun(
  tx: Writer,
  run: {
    galleryId: number;
    organizationId: number;
    userId: number;
    firstKey: string;
    lastKey: string;
    minutes: number;
  },
): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    insert into tagging_runs (organization_id, gallery_id, user_id, first_key, last_key, until)
    values (${run.organizationId}, ${run.galleryId}, ${run.userId}, ${run.firstKey}, ${run.lastKey}, now() + make_interval(mins => ${run.minutes}))
    returning until`.execute(tx);
  return (rows[0] as { until: Date }).until;
}

/** Forgets old batches, and runs that ended a day ago. Returns how many rows were deleted. */
export async function forgetBatches(tx: Writer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with batches as (delete from tagging_batches where at < now() - make_interval(days => ${BATCH_DAYS}) returning 1),
         runs as (delete from tagging_runs where until < now() - interval '1 day' returning 1)
    select ((select count(*) from batches) + (select count(*) from runs))::integer as count`.execute(tx);
  return rows[0]?.count ?? 0;
}

const IS_NUMBER = sql`k.name::text ~ '^#?[0-9]{1,4}$'`;

/** Counts keywords that are numbers and can mean only one player of the teams in play, or all while no team is chosen. */
export async function countKeywordNumbers(db: Reader, galleryId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with playing as (select count(*) as teams from gallery_teams where gallery_id = ${galleryId}),
         worn as (select e.number, count(*) as players from gallery_teams g join entries e on e.team_id = g.team_id and e.left_on is null
                   where g.gallery_id = ${galleryId} group by e.number)
    select count(*)::integer as count
      from photo_keywords k cross join playing left join worn on worn.number = ltrim(k.name::text, '#')
     where k.gallery_id = ${galleryId} and ${IS_NUMBER}
       and case playing.teams when 0 then true when 1 then coalesce(worn.players, 0) <= 1 else worn.players = 1 end`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

type KeywordNumber = { id: number; photoId: number; number: string; day: string };

/** Keywords that are numbers, after a keyword, with the day of their photo. */
export async function listKeywordNumbers(
  db: Reader,
  { galleryId, after, limit }: { galleryId: number; after: number; limit: number },
): Promise<KeywordNumber[]> {
  const { rows } = await sql<KeywordNumber>`
    select k.id, k.photo_id as "photoId", ltrim(k.name::text, '#') as number, ${sql.raw(PHOTO_DAY)} as day
      from photo_keywords k join photos p on p.id = k.photo_id and p.gallery_id = k.gallery_id join organizations o on o.id = p.organization_id
     where k.gallery_id = ${galleryId} and ${IS_NUMBER} and p.removed_at is null and k.id > ${after}
     order by k.id limit ${limit}`.execute(db);
  return rows;
}

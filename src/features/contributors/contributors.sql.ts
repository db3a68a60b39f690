/** Contributors, their photos as they see them, and the owner's review. */
import { sql } from 'kysely';
import type {
  ContributionPlace,
  OwnPhotoRow,
  WaitingRow,
} from '#src/features/contributors/contribution-answers.rules.ts';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';
import type { ContributorAnswer } from '#src/features/galleries/galleries.contract.ts';
import { ROOT_ID } from '#src/features/tenancy/organizations.rules.ts';

/** `visitor_id`: the browser it came from; `invite_id`: the personal invite. */
type NewContributor = RowOf<
  'gallery_contributors',
  'gallery_id' | 'organization_id' | 'invite_id' | 'visitor_id' | 'name' | 'email' | 'site' | 'instagram'
>;

export async function insertContributor(tx: Writer, fresh: NewContributor): Promise<number> {
  const row = await tx.insertInto('gallery_contributors').values(fresh).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** The signature of the last contribution by an invite; null before the first. */
export async function findSender(db: Reader, inviteId: number): Promise<ContributorAnswer | null> {
  const row = await db
    .selectFrom('gallery_contributors')
    .select(['id', 'name', 'email', 'site', 'instagram'])
    .where('invite_id', '=', inviteId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Records that the owner must be notified. */
export async function noteArrival(tx: Writer, galleryId: number, organizationId: number): Promise<void> {
  await sql`
    insert into contribution_notices (gallery_id, organization_id, untold_since) values (${galleryId}, ${organizationId}, now())
    on conflict (gallery_id)
    do update set untold_since = coalesce(contribution_notices.untold_since, now())`.execute(tx);
}

type Unnotified = { galleryId: number; organizationId: number; name: string; notifiedAt: Date };

/**
 * Active galleries whose owner must be notified now: something arrived, and the last email is an hour old. Marks them as
 * notified. Organizations without any confirmed address wait: the contact address may be anyone's (rule 53).
 */
export async function claimUnnotified(
  tx: Writer,
  options: { everySeconds: number; limit: number },
): Promise<Unnotified[]> {
  const { rows } = await sql<Unnotified>`
    with due as materialized (
      select n.gallery_id from contribution_notices n join organizations o on o.id = n.organization_id
       where n.untold_since is not null and (n.told_at is null or n.told_at < now() - make_interval(secs => ${options.everySeconds}::float8))
         and exists (select from memberships m join users u on u.id = m.user_id and u.email_proven_at is not null
                      where m.organization_id in (o.id, nullif(o.parent_organization_id, ${ROOT_ID})))
       order by n.untold_since limit ${options.limit} for update of n skip locked
    )
    update contribution_notices notice set untold_since = null, told_at = now()
      from due join galleries g on g.id = due.gallery_id
     where notice.gallery_id = due.gallery_id
    returning g.id as "galleryId", g.organization_id as "organizationId", g.name, notice.told_at as "notifiedAt"`.execute(
    tx,
  );
  return rows;
}

/** Whose contributions: those of a personal invite, or of a browser's visitor. */
export type Contributing = { galleryId: number; visitorId: string | null; inviteId: number | null };

const IS_OWN = ({ galleryId, visitorId, inviteId }: Contributing) =>
  sql`c.gallery_id = ${galleryId} and (c.visitor_id = ${visitorId}::uuid or c.invite_id = ${inviteId}::bigint)`;

/** The numbers that a photo's sender gave. */
const SENDERS_NUMBERS = sql`array(select n.number from contributed_numbers n where n.photo_id = p.id order by n.at, n.number)`;

/** What someone sent to a gallery, without removed photos. */
export async function listOwn(db: Reader, who: Contributing, page: { after: ContributionPlace | null; limit: number }) {
  const { after } = page;
  const later = after
    ? sql`and (c.id < ${after.contributorId} or (c.id = ${after.contributorId} and (p.order_key, p.id) > (${after.orderKey}, ${after.id}::bigint)))`
    : sql``;
  const { rows } = await sql<OwnPhotoRow>`
    select p.id, c.id as "contributorId", p.order_key as "orderKey", p.name, p.status, p.problem, p.show_in_gallery as "showInGallery",
           p.reviewed_at is not null as "isReviewed", p.removed_at is not null as "isRemoved", p.withdrawn_at is not null as "isWithdrawn",
           p.width, p.height, encode(p.thumbhash, 'base64') as thumbhash, p.pixel_version as "pixelVersion",
           case when p.reviewed_at is null and exists (select from gallery_teams t where t.gallery_id = p.gallery_id)
                then ${SENDERS_NUMBERS} end as numbers
      from gallery_contributors c join photos p on p.gallery_contributor_id = c.id
     where ${IS_OWN(who)} and (p.removed_at is null or p.withdrawn_at is null) ${later}
     order by c.id desc, p.order_key, p.id
     limit ${page.limit}`.execute(db);
  return rows;
}

/** One's own photo, locked; null for others' and for one that is gone. */
export async function lockOwn(tx: Writer, who: Contributing, photoId: number) {
  const { rows } = await sql<{ isSold: boolean; isWithdrawn: boolean; isReviewed: boolean }>`
    select p.sales_count > 0 as "isSold", p.withdrawn_at is not null as "isWithdrawn", p.reviewed_at is not null as "isReviewed"
      from photos p join gallery_contributors c on c.id = p.gallery_contributor_id
     where p.id = ${photoId} and p.removed_at is null and ${IS_OWN(who)}
       for no key update of p`.execute(tx);
  return rows[0] ?? null;
}

/** Replaces the sender's numbers of a photo. */
export async function replaceNumbers(
  tx: Writer,
  photo: { id: number; organizationId: number },
  numbers: readonly string[],
): Promise<void> {
  await sql`delete from contributed_numbers where photo_id = ${photo.id} and number <> all (${[...numbers]}::text[])`.execute(
    tx,
  );
  await sql`
    insert into contributed_numbers (photo_id, number, organization_id)
    select ${photo.id}, number, ${photo.organizationId} from unnest(${[...numbers]}::text[]) as said (number)
    on conflict (photo_id, number) do nothing`.execute(tx);
}

/** The sender's numbers of photos that are about to be approved, by photo. */
export async function listNumbers(
  tx: Writer,
  decided: Decided,
  limit: number,
): Promise<{ photoId: number; number: string }[]> {
  const { rows } = await sql<{ photoId: number; number: string }>`
    select n.photo_id as "photoId", n.number from contributed_numbers n join photos p on p.id = n.photo_id
     where p.gallery_id = ${decided.galleryId} and p.status = 'ready' and ${meant(decided)}
     order by n.photo_id, n.number limit ${limit}`.execute(tx);
  return rows;
}

/** For locked photos, like `replaceNumbers`. */
export async function forgetNumbers(tx: Writer, ids: readonly number[]): Promise<void> {
  await sql`delete from contributed_numbers where photo_id = any (${[...ids]}::bigint[])`.execute(tx);
}

/** Hides a photo permanently; `removes` also removes it. */
export async function withdrawPhoto(tx: Writer, photoId: number, { removes }: { removes: boolean }): Promise<void> {
  await tx
    .updateTable('photos')
    .set({
      withdrawn_at: sql<Date>`now()`,
      show_in_gallery: false,
      featured: false,
      ...(removes ? { removed_at: sql<Date>`now()` } : {}),
    })
    .where('id', '=', photoId)
    .execute();
}

const WAITS = sql`p.gallery_contributor_id is not null and not p.show_in_gallery and p.reviewed_at is null and p.removed_at is null and p.status <> 'failed'`;

/** Contributions that wait for the owner, the oldest contribution first, its photos in capture order. */
export async function listWaiting(
  db: Reader,
  galleryId: number,
  page: { after: ContributionPlace | null; limit: number },
): Promise<WaitingRow[]> {
  const { after } = page;
  const later = after
    ? sql`and (p.gallery_contributor_id, p.order_key, p.id) > (${after.contributorId}::bigint, ${after.orderKey}, ${after.id}::bigint)`
    : sql``;
  const { rows } = await sql<WaitingRow>`
    select p.id, p.gallery_contributor_id as "contributorId", p.order_key as "orderKey", p.name, p.status, p.width, p.height,
           encode(p.thumbhash, 'base64') as thumbhash, p.pixel_version as "pixelVersion", p.exif,
           p.dhash, p.sharpness, ${SENDERS_NUMBERS} as numbers
      from photos p where p.gallery_id = ${galleryId} and ${WAITS} ${later}
     order by p.gallery_contributor_id, p.order_key, p.id
     limit ${page.limit}`.execute(db);
  return rows;
}

type HashedPhoto = { id: number; name: string; isShown: boolean; dhash: string };

/** Hashes of the photos of a gallery; at most `limit`. */
export async function listHashes(db: Reader, galleryId: number, limit: number): Promise<HashedPhoto[]> {
  const { rows } = await sql<HashedPhoto>`
    select id, name, show_in_gallery as "isShown", dhash from photos
     where gallery_id = ${galleryId} and dhash is not null
       and status = 'ready' and removed_at is null limit ${limit}`.execute(db);
  return rows;
}

/** How many wait in each of these galleries; galleries without any are missing. One query. */
export async function countWaiting(db: Reader, galleryIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ galleryId: number; count: number }>`
    select p.gallery_id as "galleryId", count(*) as count from photos p
     where p.gallery_id = any(${[...galleryIds]}::bigint[]) and ${WAITS} group by p.gallery_id`.execute(db);
  return new Map(rows.map(({ galleryId, count }) => [galleryId, count]));
}

type WaitingContributor = ContributorAnswer & { waiting: number; sentAt: Date };

/** The people behind contributions, with how many of their photos wait. */
export async function listWaitingContributors(db: Reader, ids: readonly number[]): Promise<WaitingContributor[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<WaitingContributor>`
    select c.id, c.name, c.email::text as email, c.site, c.instagram, c.created_at as "sentAt",
           (select count(*) from photos p where p.gallery_id = c.gallery_id and p.gallery_contributor_id = c.id and ${WAITS}) as waiting
      from gallery_contributors c where c.id = any(${[...ids]}::bigint[]) order by c.id`.execute(db);
  return rows;
}

type Decision = 'approve' | 'reject' | 'wait';
/** These photos, or all waiting ones of everyone with the email address of this contributor, in contributions up to one. */
export type Decided = { galleryId: number } & (
  | { photoIds: readonly number[]; contributorId: null }
  | { photoIds: null; contributorId: number; upTo: number | null; /** Only those with a smaller id. */ before?: number }
);

function meant(decided: Decided) {
  return decided.photoIds === null
    ? sql`${WAITS} and p.gallery_contributor_id in (select c.id from gallery_contributors c
          where c.gallery_id = ${decided.galleryId} and (${decided.upTo}::bigint is null or c.id <= ${decided.upTo})
            and c.email = (select one.email from gallery_contributors one where one.id = ${decided.contributorId} and one.gallery_id = ${decided.galleryId}))
          and (${decided.before ?? null}::bigint is null or p.id < ${decided.before ?? null})`
    : sql`p.id = any(${[...decided.photoIds]}::bigint[]) and p.gallery_contributor_id is not null and p.removed_at is null and p.withdrawn_at is null`;
}

/**
 * Carries out a decision; returns the ids of the contributions that it changed, and of those that stay hidden for a cause. Only
 * ready photos are approved: no one has seen the others. Rows are locked by id in a separate statement, as in `addPhotoSales`.
 */
export async function decide(
  tx: Writer,
  decided: Decided,
  decision: Decision,
): Promise<{ ids: number[]; withheld: number[] }> {
  const changes = {
    approve: sql`show_in_gallery = true, reviewed_at = now()`,
    reject: sql`removed_at = now(), featured = false, reviewed_at = now()`,
    wait: sql`show_in_gallery = false, featured = false, reviewed_at = null`,
  }[decision];
  const seen = decision === 'approve' ? sql`and p.status = 'ready'` : sql``;
  const { rows } = await sql<{ id: number }>`
    select p.id from photos p where p.gallery_id = ${decided.galleryId} and ${meant(decided)} ${seen}
     order by p.id for no key update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  const { rows: changed } = await sql<{ id: number; isWithheld: boolean }>`
    update photos set ${changes} where id = any (${ids}::bigint[])
    returning id, withheld_at is not null as "isWithheld"`.execute(tx);
  return { ids, withheld: changed.filter(({ isWithheld }) => isWithheld).map(({ id }) => id) };
}

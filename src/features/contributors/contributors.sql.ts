/** The table of this module: gallery_contributors. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type NewContributor = {
  galleryId: number;
  organizationId: number;
  name: string;
  email: string;
  site: string | null;
  instagram: string | null;
  /** The personal invite it came by. */
  inviteId: number | null;
  /** The browser it came from. */
  visitorId: string;
};

export async function insertContributor(tx: Writer, fresh: NewContributor): Promise<number> {
  const row = await tx
    .insertInto('gallery_contributors')
    .values({
      gallery_id: fresh.galleryId,
      organization_id: fresh.organizationId,
      name: fresh.name,
      email: fresh.email,
      site: fresh.site,
      instagram: fresh.instagram,
      invite_id: fresh.inviteId,
      visitor_id: fresh.visitorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** How the last contribution by an invite signed itself; null before the first. */
export async function findSender(
  db: Reader,
  inviteId: number,
): Promise<{ id: number; name: string; email: string; site: string | null; instagram: string | null } | null> {
  const row = await db
    .selectFrom('gallery_contributors')
    .select(['id', 'name', 'email', 'site', 'instagram'])
    .where('invite_id', '=', inviteId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes that the owner has something to be told. */
export async function noteArrival(tx: Writer, galleryId: number, organizationId: number): Promise<void> {
  await sql`
    insert into contribution_notices (gallery_id, organization_id, untold_since) values (${galleryId}, ${organizationId}, now())
    on conflict (gallery_id) do update set untold_since = coalesce(contribution_notices.untold_since, now())`.execute(
    tx,
  );
}

/** The main organization: its members look after the platform, not after those below it. */
const ROOT_ID = 1;

export type Untold = { galleryId: number; organizationId: number; name: string; toldAt: Date };

/**
 * Active galleries whose owner is to be told now: something arrived, and the last email is an hour old. Marks them as told. Those of
 * an organization of which no one has proven an address wait: its contact address may be anyone's (rule 53).
 */
export async function takeUntold(tx: Writer, options: { everySeconds: number; limit: number }): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
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
    returning g.id as "galleryId", g.organization_id as "organizationId", g.name, notice.told_at as "toldAt"`.execute(
    tx,
  );
  return rows;
}

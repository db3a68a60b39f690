/** Personal invites, and what was sent by whom. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The main organization: its members look after the platform, not after those below it. */
const ROOT_ID = 1;

/** Invites, or invites again: the key before is dead from then on. Answers the invite's id. */
export async function upsertInvite(
  tx: Writer,
  invite: { galleryId: number; organizationId: number; email: string; keyHash: Buffer; invitedBy: number | null },
): Promise<number> {
  const row = await tx
    .insertInto('gallery_invites')
    .values({
      gallery_id: invite.galleryId,
      organization_id: invite.organizationId,
      email: invite.email,
      key_hash: invite.keyHash,
      invited_by: invite.invitedBy,
    })
    .onConflict((conflict) =>
      conflict.columns(['gallery_id', 'email']).doUpdateSet({
        key_hash: invite.keyHash,
        invited_by: invite.invitedBy,
        sent_at: sql<Date>`now()`,
        revoked_at: null,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** False when this gallery has no such invite. Ending it twice is fine. */
export async function revokeInvite(tx: Writer, galleryId: number, inviteId: number): Promise<boolean> {
  const result = await tx
    .updateTable('gallery_invites')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', inviteId)
    .where('gallery_id', '=', galleryId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export type PersonRow = {
  email: string;
  name: string | null;
  inviteId: number | null;
  sentAt: Date | null;
  isRevoked: boolean;
  photos: number;
  shown: number;
  waiting: number;
};

/** Who was invited or sent photos, by address, after one; a person who typed another address counts to the invite they came by. */
export async function listPeople(
  db: Reader,
  galleryId: number,
  page: { after: string; limit: number },
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    with people as (
      select email from gallery_invites where gallery_id = ${galleryId} and email > ${page.after}::citext
      union
      select c.email from gallery_contributors c where c.gallery_id = ${galleryId} and c.invite_id is null and c.email > ${page.after}::citext
      order by 1 limit ${page.limit}
    )
    select people.email::text as email, sent.name, i.id as "inviteId", i.sent_at as "sentAt", i.revoked_at is not null as "isRevoked",
           coalesce(sent.photos, 0) as photos, coalesce(sent.shown, 0) as shown, coalesce(sent.waiting, 0) as waiting
      from people
      left join gallery_invites i on i.gallery_id = ${galleryId} and i.email = people.email
      left join lateral (
        select (array_agg(c.name order by c.id desc))[1] as name, count(p.id) as photos, count(p.id) filter (where p.show_in_gallery) as shown,
               count(p.id) filter (where not p.show_in_gallery and p.reviewed_at is null and p.status <> 'failed') as waiting
          from gallery_contributors c left join photos p on p.gallery_contributor_id = c.id and p.removed_at is null
         where c.gallery_id = ${galleryId} and (c.invite_id = i.id or (c.invite_id is null and c.email = people.email))
        having count(c.id) > 0
      ) sent on true
     order by people.email`.execute(db);
  return rows;
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

export type Untold = { galleryId: number; organizationId: number; name: string; toldAt: Date };

/**
 * Active galleries whose owner is to be told now: something arrived, and the last letter is an hour old. Marks them as told. Those of
 * an organization of which nobody has proven an address wait: its contact address may be anybody's (decision 53).
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

/** Personal invites, and the contributions of each person. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Invites, or invites again: the previous key becomes invalid. Returns the invite's id. */
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

/** False when this gallery has no such invite. Idempotent. */
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
  /** All that were typed with the address; null if nothing was sent. */
  names: string[] | null;
  inviteId: number | null;
  sentAt: Date | null;
  isRevoked: boolean;
  photos: number;
  shown: number;
  waiting: number;
};

/** Invited people and senders, by address, after one; a person who typed another address counts for the invite that they used. */
export async function listPeople(db: Reader, galleryId: number, page: { after: string; limit: number }) {
  const { rows } = await sql<PersonRow>`
    with people as (
      select email from gallery_invites where gallery_id = ${galleryId} and email > ${page.after}::citext
      union
      select c.email from gallery_contributors c where c.gallery_id = ${galleryId} and c.invite_id is null and c.email > ${page.after}::citext
      order by 1 limit ${page.limit}
    )
    select people.email::text as email, sent.names, i.id as "inviteId", i.sent_at as "sentAt", i.revoked_at is not null as "isRevoked",
           coalesce(sent.photos, 0) as photos, coalesce(sent.shown, 0) as shown, coalesce(sent.waiting, 0) as waiting
      from people
      left join gallery_invites i on i.gallery_id = ${galleryId} and i.email = people.email
      left join lateral (
        select array_agg(distinct c.name) as names, count(p.id) as photos, count(p.id) filter (where p.show_in_gallery) as shown,
               count(p.id) filter (where not p.show_in_gallery and p.reviewed_at is null and p.status <> 'failed') as waiting
          from gallery_contributors c left join photos p on p.gallery_contributor_id = c.id and p.removed_at is null
         where c.gallery_id = ${galleryId} and (c.invite_id = i.id or (c.invite_id is null and c.email = people.email))
        having count(c.id) > 0
      ) sent on true
     order by people.email`.execute(db);
  return rows;
}

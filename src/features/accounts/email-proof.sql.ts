/** Marks a user's address as proven, and handles what waits for the proof: access that others gave. */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

/** Returns whether it was not proven before. */
export async function markProven(tx: Writer, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email_proven_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .where('email_proven_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type Invitation = {
  userId: number;
  organizationId: number;
  firstName: string;
  lastName: string;
  invitedBy: number;
};

/** The newest words about someone win; the invitation keeps its first moment. */
export async function putInvitation(tx: Writer, invitation: Invitation): Promise<void> {
  const words = {
    first_name: invitation.firstName,
    last_name: invitation.lastName,
    invited_by: invitation.invitedBy,
  };
  await tx
    .insertInto('membership_invitations')
    .values({ user_id: invitation.userId, organization_id: invitation.organizationId, ...words })
    .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet(words))
    .execute();
}

/** Returns whether there was one. */
export async function deleteInvitation(tx: Writer, organizationId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('membership_invitations')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * The access that waited begins, under the names of the newest invitation; those of living organizations only. Organizations
 * that the account had before come after them, since a stranger may have opened them: a login lands on the first.
 */
export async function acceptInvitations(tx: Writer, userId: number): Promise<void> {
  await sql`
    with waiting as (
      delete from membership_invitations where user_id = ${userId}
      returning organization_id, first_name, last_name, created_at
    ), named as (
      update users u set first_name = w.first_name, last_name = w.last_name
        from (select first_name, last_name from waiting order by created_at desc limit 1) w
       where u.id = ${userId}
    ), opened_before as (
      update memberships set joined_at = clock_timestamp()
       where user_id = ${userId} and exists (select from waiting)
         and organization_id not in (select organization_id from waiting)
    )
    insert into memberships (user_id, organization_id, role)
    select ${userId}, w.organization_id, 2 from waiting w
      join organizations o on o.id = w.organization_id and o.deleted_at is null
    on conflict (user_id, organization_id) do nothing`.execute(tx);
}

/** Members of an organization and their access, in the tables memberships, users, sessions and password_resets. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type MemberRow = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  role: number;
  roleId: number;
  joinedAt: Date;
  lastSignIn: Date | null;
  /** The access has not started: the emailed link was not followed yet. */
  isInvited: boolean;
};

/** Nothing that an invited person wrote or did is returned: someone else may have signed up with the address. */
const members = (organizationId: number) => sql`
  select u.id, u.first_name as "firstName", u.last_name as "lastName", u.email::text as email, m.role, u.role_id as "roleId",
         m.joined_at as "joinedAt", s.at as "lastSignIn", u.password_hash is null as "isInvited"
    from memberships m join users u on u.id = m.user_id and u.deleted_at is null
    left join lateral (select max(created_at) as at from sessions where user_id = u.id) s on true
   where m.organization_id = ${organizationId}
  union all
  select u.id, i.first_name, i.last_name, u.email::text, 2, 1, i.created_at, null, true
    from membership_invitations i join users u on u.id = i.user_id and u.deleted_at is null
   where i.organization_id = ${organizationId}`;

/** In the order of joining. */
export async function listPeople(db: Reader, organizationId: number, limit: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select * from (${members(organizationId)}) people order by "joinedAt", id limit ${limit}`.execute(db);
  return rows;
}

export async function findPerson(db: Reader, organizationId: number, userId: number): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select * from (${members(organizationId)}) people where id = ${userId}`.execute(db);
  return rows[0];
}

/** Locks the administrators until the end of the transaction, so that simultaneous removals see each other. */
export async function lockAdministrators(tx: Writer, organizationId: number) {
  const { rows } = await sql<{ id: number; hasPassword: boolean }>`
    select m.user_id as id, u.password_hash is not null as "hasPassword" from memberships m join users u on u.id = m.user_id and u.deleted_at is null
     where m.organization_id = ${organizationId} and m.role = 2
     order by m.user_id for update of m`.execute(tx);
  return rows;
}

/** Returns whether there was one. */
export async function deleteMembership(tx: Writer, organizationId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Signs out a person (except platform admins) without any active organization, and ends an invitation that was never followed.
 * Others stay signed in: each call reads the current memberships.
 */
export async function endVisitsOfHomeless(tx: Writer, userId: number): Promise<void> {
  const homeless = sql`u.id = ${userId} and u.role_id = 1 and not exists (
    select from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
     where m.user_id = u.id)`;
  await sql`delete from sessions s using users u where s.user_id = u.id and ${homeless}`.execute(tx);
  await sql`
    delete from password_resets r using users u
     where r.user_id = u.id and u.password_hash is null and ${homeless}`.execute(tx);
}

/** Tables of this module: users, memberships, sessions, password_resets, membership_invitations. */
import { sql } from 'kysely';
import { ROOT_ID } from '#src/features/tenancy/organizations.rules.ts';
import type { Reader, Scope, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

function selectUsers(db: Reader) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'role_id', 'password_hash', 'email_proven_at'])
    .where('deleted_at', 'is', null);
}

/** The scope in which accounts are read and written. */
export const PEOPLE: Scope = { kind: 'system', why: 'accounts belong to people, not to tenants' };

export async function findUserByEmail(db: Reader, email: string) {
  return selectUsers(db).where('email', '=', email).executeTakeFirst();
}

export async function findUserById(db: Reader, userId: number) {
  return selectUsers(db).where('id', '=', userId).executeTakeFirst();
}
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserById>>>;

/** The user's organizations with their parents, in the order of joining. */
export async function listOrganizationsOfUser(db: Reader, userId: number) {
  return db
    .selectFrom('memberships')
    .innerJoin('organizations as o', 'o.id', 'memberships.organization_id')
    .leftJoin('organizations as p', 'p.id', 'o.parent_organization_id')
    .select([
      'o.id',
      'o.name',
      'o.domain_name',
      'o.kind',
      'o.parent_organization_id',
      'o.free_tier',
      'memberships.role',
      'p.name as parent_name',
      'p.domain_name as parent_domain_name',
    ])
    .where('memberships.user_id', '=', userId)
    .where('o.deleted_at', 'is', null)
    .orderBy('memberships.joined_at')
    .orderBy('o.id')
    .execute();
}

export async function insertSession(tx: Writer, session: { tokenHash: Buffer; userId: number; days: number }) {
  await tx
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      expires_at: sql<Date>`now() + make_interval(days => ${session.days})`,
    })
    .execute();
}

/** The valid session of a token's hash, with the facts about its user that an actor needs; one round trip. */
export async function findSession(db: Reader, tokenHash: Buffer) {
  return db
    .selectFrom('sessions')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select((eb) => [
      'sessions.user_id',
      sql<number>`extract(epoch from now() - sessions.confirmed_at)::float8`.as('confirmed_seconds_ago'),
      'users.role_id',
      'users.must_change_password',
      eb
        .selectFrom('memberships')
        .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
        .select(
          sql<
            { organizationId: number; role: 1 | 2 }[]
          >`coalesce(json_agg(json_build_object('organizationId', memberships.organization_id, 'role', memberships.role)), '[]')`.as(
            'list',
          ),
        )
        .whereRef('memberships.user_id', '=', 'users.id')
        .where('organizations.deleted_at', 'is', null)
        .as('memberships'),
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Whether this is still the user's password. Changes to it wait until the transaction ends. */
export async function lockWithPassword(tx: Writer, userId: number, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSession(tx: Writer, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

export async function confirmSession(tx: Writer, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function insertUser(
  tx: Writer,
  user: {
    email: string;
    firstName: string;
    lastName: string;
    passwordHash: string | null;
    roleId: 1 | 2;
    /** An operator vouches for the address. */
    isProven?: boolean;
  },
): Promise<number> {
  const row = await tx
    .insertInto('users')
    .values({
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      password_hash: user.passwordHash,
      role_id: user.roleId,
      ...(user.isProven === true ? { email_proven_at: sql<Date>`now()` } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Users with one of these addresses. */
export async function listUsersByEmail(db: Reader, emails: readonly string[]) {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`email = any (${emails}::citext[])`)
    .execute();
}

/** Someone else chose the password: the user must choose another at the first login (threat D17). */
export async function requireNewPassword(tx: Writer, userId: number): Promise<void> {
  await tx.updateTable('users').set({ must_change_password: true }).where('id', '=', userId).execute();
}

/** Makes the user an administrator of each organization, in one statement. */
export async function insertAdministrator(tx: Writer, userId: number, organizationIds: readonly number[]) {
  if (organizationIds.length === 0) return;
  await tx
    .insertInto('memberships')
    .values(organizationIds.map((organizationId) => ({ user_id: userId, organization_id: organizationId, role: 2 })))
    .execute();
}

type NewPassword = {
  userId: number;
  passwordHash: string;
  /** The session in which it was chosen continues (rule 5). */
  keptSession?: Buffer;
  /** Someone else chose it: it must be changed at the next login. */
  chosenByOther?: boolean;
};

/** A new password ends every session of the user (rule 5) and every open reset link. */
export async function setPassword(tx: Writer, password: NewPassword): Promise<void> {
  const { userId, passwordHash, keptSession, chosenByOther = false } = password;
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, must_change_password: chosenByOther })
    .where('id', '=', userId)
    .execute();
  await endAccess(tx, userId, keptSession);
}

/** Ends the user's sessions, except this one, and open reset links. */
async function endAccess(tx: Writer, userId: number, keptSession?: Buffer): Promise<void> {
  let sessions = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (keptSession) sessions = sessions.where('token_hash', '<>', keptSession);
  await sessions.execute();
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/**
 * Ends the sessions of members (except platform admins) who have no active organization but this one; returns the number of
 * people.
 */
export async function endSessionsWithoutOrganization(tx: Writer, organizationId: number): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    with ended as (
      delete from sessions where user_id in (
        select m.user_id from memberships m join users u on u.id = m.user_id and u.role_id = 1
         where m.organization_id = ${organizationId} and not exists (
           select from memberships other join organizations o on o.id = other.organization_id and o.deleted_at is null
            where other.user_id = m.user_id and o.id <> ${organizationId}))
      returning user_id
    )
    select count(distinct user_id)::integer as people from ended`.execute(tx);
  return rows[0]?.people ?? 0;
}

/** In the order of joining. */
const membersOf = (db: Reader, organizationId: number, limit: number) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.organization_id', '=', organizationId)
    .where('users.deleted_at', 'is', null)
    .orderBy('memberships.joined_at')
    .orderBy('users.id')
    .limit(limit);

export async function listMembers(db: Reader, organizationId: number, limit: number) {
  return membersOf(db, organizationId, limit)
    .select(['users.id', 'users.email', 'users.first_name', 'users.last_name', 'users.role_id'])
    .execute();
}

/** Members with a confirmed address, who may be notified of what happens in the organization. */
export async function listProvenMembers(db: Reader, organizationId: number, limit: number) {
  return membersOf(db, organizationId, limit)
    .select(['users.id', 'users.email', 'users.first_name as firstName'])
    .where('users.email_proven_at', 'is not', null)
    .execute();
}

type Recipient = { email: string; name: string; accent: string; path: string; hostLabel: string };

/** Who gets the emails of an organization: its administrators, else its parent's. With the address of its pages. */
export async function listRecipients(db: Reader, organizationId: number, limit: number): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    with own as (
      select u.email::text as email, o.name, o.primary_color as accent, o.domain_name::text as path,
             coalesce(parent.domain_name, o.domain_name)::text as "hostLabel", m.organization_id = o.id as is_own
        from organizations o left join organizations parent on parent.id = o.parent_organization_id and parent.id <> ${ROOT_ID}
        join memberships m on m.organization_id in (o.id, parent.id) and m.role = 2
        join users u on u.id = m.user_id and u.deleted_at is null
       where o.id = ${organizationId})
    select distinct email, name, accent, path, "hostLabel" from own
     where is_own or not exists (select from own where is_own) order by email limit ${limit}`.execute(db);
  return rows;
}

/** Deletes expired sessions and reset links; returns how many. */
export async function deleteExpired(tx: Writer): Promise<number> {
  const past = sql<Date>`now()`;
  const sessions = await tx.deleteFrom('sessions').where('expires_at', '<', past).executeTakeFirst();
  const links = await tx.deleteFrom('password_resets').where('expires_at', '<', past).executeTakeFirst();
  return Number(sessions.numDeletedRows + links.numDeletedRows);
}

/** Marks the address as confirmed; returns whether it was not confirmed before. */
export async function markProven(tx: Writer, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email_proven_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .where('email_proven_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type NewEmail = { user: { id: number; email: string }; email: string; keptSession: Buffer };

/**
 * Also ends the user's other sessions and open reset links. False if the current address has changed meanwhile or is not
 * proven. A taken address is a unique violation (23505, `users_email`).
 */
export async function changeEmail(tx: Writer, { user, email, keptSession }: NewEmail): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email })
    .where('id', '=', user.id)
    .where('email', '=', user.email)
    .where('email_proven_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await endAccess(tx, user.id, keptSession);
  return true;
}

/** A repeated invitation keeps its date and gets the new names. */
export async function putInvitation(
  tx: Writer,
  invitation: { userId: number; organizationId: number; firstName: string; lastName: string; invitedBy: number },
): Promise<void> {
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

/** Returns whether there was an invitation. */
export async function deleteInvitation(tx: Writer, organizationId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('membership_invitations')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Turns the user's invitations into memberships, with the names of the newest one; only in active organizations. The
 * account's earlier organizations are sorted after them, because a login leads to the first, and someone else may have
 * opened the earlier ones.
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

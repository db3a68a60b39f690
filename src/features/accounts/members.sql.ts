/** Of this room's tables memberships, users and sessions: who belongs to an organisation. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export type MemberRow = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  role: number;
  roleId: number;
  joinedAt: Date;
  lastSignIn: Date | null;
};

/** In the order of joining. */
export async function listPeople(db: Reader, organizationId: number, limit: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", u.email::text as email, m.role, u.role_id as "roleId",
           m.joined_at as "joinedAt", s.at as "lastSignIn"
      from memberships m join users u on u.id = m.user_id and u.deleted_at is null
      left join lateral (select max(created_at) as at from sessions where user_id = u.id) s on true
     where m.organization_id = ${organizationId}
     order by m.joined_at, u.id limit ${limit}`.execute(db);
  return rows;
}

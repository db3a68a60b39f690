/** Table of this module: deletion_requests. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export async function findRequestedAt(db: Reader, userId: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select asked_at as at from deletion_requests where user_id = ${userId}`.execute(db);
  return rows[0]?.at ?? null;
}

/** False if there is one, or if the account was erased meanwhile: an erasure has locked it. */
export async function insertRequest(tx: Writer, userId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into deletion_requests (user_id) select id from users where id = ${userId} and deleted_at is null for share
    on conflict do nothing returning user_id`.execute(tx);
  return rows.length > 0;
}

/** Whether there was one. */
export async function deleteRequest(tx: Writer, userId: number): Promise<boolean> {
  const { rows } = await sql`delete from deletion_requests where user_id = ${userId} returning user_id`.execute(tx);
  return rows.length > 0;
}

/** Of platform admins. */
export async function listAdminAddresses(db: Reader, limit: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email::text as email from users where role_id = 2 and deleted_at is null order by id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ email }) => email);
}

export async function lockDueRequest(tx: Writer, userId: number, waitDays: number): Promise<boolean> {
  const { rows } = await sql`
    select from deletion_requests
     where user_id = ${userId} and asked_at + make_interval(days => ${waitDays}) <= now() for update`.execute(tx);
  return rows.length > 0;
}

export type OpenRequest = {
  email: string;
  name: string;
  askedAt: Date;
  dueAt: Date;
  isDue: boolean;
  administers: string[];
};

/** The oldest first. */
export async function listRequests(db: Reader, { waitDays, limit }: { waitDays: number; limit: number }) {
  const dueAt = sql`r.asked_at + make_interval(days => ${waitDays})`;
  const { rows } = await sql<OpenRequest>`
    select u.email::text as email, u.first_name || ' ' || u.last_name as name, r.asked_at as "askedAt", ${dueAt} as "dueAt", ${dueAt} <= now() as "isDue",
           array(select o.name from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
                  where m.user_id = u.id and m.role = 2 order by o.name) as administers
      from deletion_requests r join users u on u.id = r.user_id and u.deleted_at is null order by r.asked_at, r.user_id limit ${limit}`.execute(
    db,
  );
  return rows;
}

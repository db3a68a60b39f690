/** The table of this module: api_tokens. Tokens are never deleted, because logs refer to them. */
import { sql } from 'kysely';
import type { TokenScope } from '#src/features/tenancy/token-scopes.contract.ts';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

/** Whether the creator still administers the organization or its parent; a token works only then. */
const ADMINISTERS = sql`exists (
  select from memberships m where m.user_id = t.made_by and m.role = 2 and m.organization_id in (o.id, o.parent_organization_id))`;

type LiveToken = {
  id: number;
  organizationId: number;
  scopes: TokenScope[];
  madeBy: number;
  /** Its last use is not yet recorded for this minute. */
  isDue: boolean;
};

/**
 * The valid token with this hash: not expired, of an existing organization, by a creator who still has access. One round trip.
 */
export async function findLive(db: Reader, tokenHash: Buffer): Promise<LiveToken | null> {
  const { rows } = await sql<LiveToken>`${prepared}
    select t.id, t.organization_id as "organizationId", t.scopes, t.made_by as "madeBy",
           coalesce(t.last_used_at < now() - interval '1 minute', true) as "isDue"
      from api_tokens t
      join organizations o on o.id = t.organization_id and o.deleted_at is null
      join users u on u.id = t.made_by and u.deleted_at is null
     where t.token_hash = ${tokenHash} and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
       and ${ADMINISTERS}`.execute(db);
  return rows[0] ?? null;
}

/** At most once a minute, however many requests record it. */
export async function noteUse(tx: Writer, id: number): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', sql<Date>`now() - interval '1 minute'`)]),
    )
    .execute();
}

const selectTokens = (db: Reader) =>
  db
    .selectFrom('api_tokens as t')
    .innerJoin('users as u', 'u.id', 't.made_by')
    .select([
      't.id',
      't.name',
      't.ending',
      sql<TokenScope[]>`t.scopes`.as('scopes'),
      sql<string>`u.first_name || ' ' || u.last_name`.as('madeBy'),
      't.created_at as createdAt',
      't.expires_at as expiresAt',
      't.last_used_at as lastUsedAt',
      't.revoked_at as revokedAt',
    ]);

/** Newest first, by key. */
export async function list(
  db: Reader,
  organizationId: number,
  { after, limit }: { after: number | null; limit: number },
) {
  let query = selectTokens(db).where('t.organization_id', '=', organizationId).orderBy('t.id', 'desc').limit(limit);
  if (after !== null) query = query.where('t.id', '<', after);
  return query.execute();
}

export async function find(db: Reader, organizationId: number, id: number) {
  const query = selectTokens(db).where('t.organization_id', '=', organizationId).where('t.id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** How many valid tokens the organization has. Its row is locked, so that simultaneous requests count each other. */
export async function countLive(tx: Writer, organizationId: number): Promise<number> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_tokens
     where organization_id = ${organizationId} and revoked_at is null
       and (expires_at is null or expires_at > now())`.execute(tx);
  return rows[0]?.count ?? 0;
}

type NewRow = RowOf<'api_tokens', 'organization_id' | 'name' | 'token_hash' | 'ending' | 'made_by'> & {
  scopes: readonly TokenScope[];
  days: number | null;
};

export async function insert(tx: Writer, { days, scopes, ...row }: NewRow): Promise<number> {
  const { id } = await tx
    .insertInto('api_tokens')
    .values({
      ...row,
      scopes: [...scopes],
      expires_at: days === null ? null : sql<Date>`now() + make_interval(days => ${days})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns whether it was valid until now. */
export async function revoke(tx: Writer, token: { organizationId: number; id: number; by: number }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_tokens')
    .set({ revoked_at: sql<Date>`now()`, revoked_by: token.by })
    .where('organization_id', '=', token.organizationId)
    .where('id', '=', token.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type Ended = { id: number; organizationId: number };

/** Revokes the tokens of a person who no longer administers their organization; returns them. */
export async function revokeOfFormerMaker(tx: Writer, userId: number): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    update api_tokens t set revoked_at = now() from organizations o
     where o.id = t.organization_id and t.made_by = ${userId} and t.revoked_at is null and not ${ADMINISTERS}
    returning t.id, t.organization_id as "organizationId"`.execute(tx);
  return rows;
}

/** Revokes all tokens of an organization; returns those that were valid. */
export async function revokeAll(tx: Writer, organizationId: number): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    update api_tokens set revoked_at = now() where organization_id = ${organizationId} and revoked_at is null
    returning id, organization_id as "organizationId"`.execute(tx);
  return rows;
}

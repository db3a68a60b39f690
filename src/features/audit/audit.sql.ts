/** The table of this module: audit_log. Rows are inserted and read; a trigger refuses everything else. */
import { sql } from 'kysely';
import type { JsonObject, Schema } from '#src/platform/db/schema.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type Action = {
  /** The organization whose members may read the entry. Null: platform admins only. */
  organizationId: number | null;
  /** `takedown.decided`: the kind of object, a dot, the action in the past tense. */
  action: string;
  object: readonly [type: string, id: number | string];
  /** Small, and never a secret, an email address or other personal data: entries are permanent. */
  details?: JsonObject;
};

export type AuditRow = Awaited<ReturnType<typeof listActions>>[number];

/** Writes at least one entry. */
export async function insertActions(
  tx: Writer,
  by: { userId: number | null; ip: string | null },
  actions: readonly Action[],
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values(
      actions.map(({ organizationId, action, object: [type, id], details = {} }) => ({
        actor_id: by.userId,
        organization_id: organizationId,
        action,
        object_type: type,
        object_id: String(id),
        details: JSON.stringify(details) as Schema['audit_log']['details'] & string,
        ip: by.ip,
      })),
    )
    .execute();
}

export type AuditSearch = {
  /** At least one; null: all, including entries without an organization. */
  organizationIds: readonly number[] | null;
  actorId?: number | null | undefined;
  action?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  /** Whole days, `YYYY-MM-DD`; null: open on this side. */
  days?: { from: string | null; to: string | null; timeZone: string };
  /** Entries with a smaller id. */
  beforeId: number | null;
  /** Entries with this id or a greater one. */
  fromId?: number | null;
  limit: number;
};

/** The current name of the object, for kinds whose entries do not store one; null if it no longer exists. */
const OBJECT_NAME = sql<string | null>`case when a.object_id !~ '^[0-9]{1,18}$' then null
  when a.object_type = 'photo' then (select p.name || ' (' || g.name || ')' from photos p join galleries g on g.id = p.gallery_id
    where p.id = a.object_id::bigint and p.organization_id = a.organization_id)
  when a.object_type = 'gallery' then (select g.name from galleries g where g.id = a.object_id::bigint)
  when a.object_type = 'team' then (select t.name from teams t where t.id = a.object_id::bigint)
  when a.object_type = 'season' then (select s.name from seasons s where s.id = a.object_id::bigint)
  when a.object_type = 'bulk_import' then (select i.file_name from bulk_imports i where i.id = a.object_id::bigint) end`;

function selectActions(db: Reader) {
  return db
    .selectFrom('audit_log as a')
    .leftJoin('users as u', 'u.id', 'a.actor_id')
    .leftJoin('organizations as o', 'o.id', 'a.organization_id')
    .select([
      'a.id',
      'a.at',
      'a.actor_id as actorId',
      sql<string | null>`u.first_name || ' ' || u.last_name`.as('actorName'),
      'a.organization_id as organizationId',
      'o.name as organizationName',
      'a.action',
      'a.object_type as objectType',
      'a.object_id as objectId',
      OBJECT_NAME.as('objectName'),
      'a.details',
      sql<string | null>`a.ip::text`.as('ip'),
    ]);
}

const dayStart = (day: string, timeZone: string) => sql<Date>`(${day}::date::timestamp at time zone ${timeZone})`;
const dayEnd = (day: string, timeZone: string) => sql<Date>`((${day}::date + 1)::timestamp at time zone ${timeZone})`;

/** Newest first, paged by id. */
export async function listActions(db: Reader, search: AuditSearch) {
  let query = selectActions(db).orderBy('a.id', 'desc').limit(search.limit);
  const { organizationIds, days } = search;
  if (organizationIds !== null) query = query.where('a.organization_id', 'in', organizationIds);
  if (search.beforeId !== null) query = query.where('a.id', '<', search.beforeId);
  if (search.fromId !== null && search.fromId !== undefined) query = query.where('a.id', '>=', search.fromId);
  if (search.actorId !== undefined) query = query.where('a.actor_id', '=', search.actorId);
  if (search.action !== undefined) query = query.where('a.action', '=', search.action);
  if (search.objectType !== undefined) query = query.where('a.object_type', '=', search.objectType);
  if (search.objectId !== undefined) query = query.where('a.object_id', '=', search.objectId);
  if (days?.from) query = query.where('a.at', '>=', dayStart(days.from, days.timeZone));
  if (days?.to) query = query.where('a.at', '<', dayEnd(days.to, days.timeZone));
  return query.execute();
}

/**
 * The range of ids that contains all entries of these days. Ids and times are in the same order except within the
 * length of a transaction, so an extra hour on both sides misses none. Without the range, a search for old days would
 * scan all newer entries.
 */
export async function idsOfDays(db: Reader, { from, to, timeZone }: NonNullable<AuditSearch['days']>) {
  const first = from
    ? sql`(select id from audit_log where at >= ${dayStart(from, timeZone)} - interval '1 hour' order by at, id limit 1)`
    : sql`null::bigint`;
  const last = to
    ? sql`(select id from audit_log where at < ${dayEnd(to, timeZone)} + interval '1 hour' order by at desc, id desc limit 1)`
    : sql`null::bigint`;
  const { rows } = await sql<{ firstId: number | null; lastId: number | null }>`
    select ${first} as "firstId", ${last} as "lastId"`.execute(db);
  return rows[0] ?? { firstId: null, lastId: null };
}

export async function findAction(db: Reader, id: number) {
  return (await selectActions(db).where('a.id', '=', id).executeTakeFirst()) ?? null;
}

/** The user with this address. */
export async function findPersonByEmail(db: Reader, email: string): Promise<number | null> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  return row?.id ?? null;
}

/** Organizations with this domain name, deleted ones too; affiliates of two parents may have the same one. */
export async function findOrganizationsByPath(db: Reader, path: string): Promise<number[]> {
  const rows = await db.selectFrom('organizations').select('id').where('domain_name', '=', path).limit(50).execute();
  return rows.map(({ id }) => id);
}

/** Every value of an indexed column, with one index lookup each. */
async function distinctOf(db: Reader, column: 'action' | 'object_type'): Promise<string[]> {
  const name = sql.ref(column);
  const { rows } = await sql<{ value: string }>`
    with recursive found as (
      select min(${name}) as value from audit_log
      union all
      select (select min(${name}) from audit_log where ${name} > found.value) from found where found.value is not null
    ) select value from found where value is not null`.execute(db);
  return rows.map(({ value }) => value);
}

/** The actions and kinds of objects in the log. */
export async function listKinds(db: Reader): Promise<{ actions: string[]; objectTypes: string[] }> {
  return { actions: await distinctOf(db, 'action'), objectTypes: await distinctOf(db, 'object_type') };
}

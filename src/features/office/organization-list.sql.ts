/** Organizations as lists: by name, by parent, or as accounts; always page by page, by key. And deleting one. */
import { sql, type RawBuilder } from 'kysely';
import type { AccountColumn, AccountRow, Listed } from '#src/features/office/organization-list.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { literalPattern } from '#src/platform/db/literal-pattern.ts';

/** A part of a sorted list: after a row or before one (its id), or from the start. */
type Part = { after: number | null; before: number | null; limit: number };

const LISTED =
  sql.raw(`o.id, o.kind, o.name, o.domain_name::text as "domainName", o.parent_organization_id as "parentId",
  p.name as "parentName", p.domain_name::text as "parentDomainName", o.free_tier as "freeTier", o.share_bps as "shareBps", o.logo_key as "logoKey", o.created_at as "createdAt"`);
const FROM = sql.raw('organizations o left join organizations p on p.id = o.parent_organization_id');

/** Existing organizations: all, or those whose name, address, contact or id matches the text, or a member's whole email address. */
function matches(search: string): RawBuilder<unknown> {
  if (search === '') return sql`o.deleted_at is null`;
  const words = literalPattern(search);
  const id = /^\d{1,15}$/.test(search) ? Number(search) : 0;
  return sql`o.deleted_at is null and (fold_text(o.name) like ${words} or fold_text(o.domain_name::text) like ${words}
    or fold_text(coalesce(o.contact_name, '')) like ${words} or fold_text(coalesce(o.contact_email::text, '')) like ${words} or o.id = ${id}
    or o.id in (select m.organization_id from memberships m join users u on u.id = m.user_id
                 where u.email = ${search}::citext and u.deleted_at is null))`;
}

/** By name: `GET /api/v1/organizations`. Null for `limit` means the whole list. */
export async function listByName(
  db: Reader,
  { search, after, limit }: { search: string; after: number | null; limit: number | null },
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select ${LISTED} from ${FROM}
     where ${matches(search)}
       ${after === null ? sql`` : sql`and (fold_text(o.name), o.id) > (select fold_text(name), id from organizations where id = ${after})`}
     order by fold_text(o.name), o.id ${limit === null ? sql`` : sql`limit ${limit}`}`.execute(db);
  return rows;
}

/** A parent comes before its affiliates; groups are in the order of the parents' names. */
const FAMILY = [
  'fold_text(coalesce(p.name, o.name))',
  'coalesce(p.id, o.id)',
  'o.parent_organization_id is not null',
  'fold_text(o.name)',
  'o.id',
];

/** One more than `limit` if there are more; in reverse order before a row. */
export async function listFamilies(db: Reader, search: string, part: Part): Promise<Listed[]> {
  return listPart<Listed>(db, LISTED, matches(search), sorted(FAMILY, 'asc', part), part);
}

const ACCOUNT =
  sql.raw(`o.id, o.name, o.domain_name::text as "domainName", o.parent_organization_id as "parentId", p.name as "parentName",
  p.domain_name::text as "parentDomainName", o.contact_name as "contactName", o.contact_email::text as "email"`);
const CONTACT = `coalesce(o.contact_name, '')`;
const FIRST = `fold_text(split_part(btrim(${CONTACT}), ' ', 1))`;
const LAST = `fold_text(case when btrim(${CONTACT}) like '% %' then substring(btrim(${CONTACT}) from '[^ ]+$') else '' end)`;
const ACCOUNT_KEYS: Record<AccountColumn, readonly string[]> = {
  id: ['o.id'],
  organization: ['fold_text(o.name)', 'o.id'],
  first_name: [FIRST, 'o.id'],
  last_name: [LAST, 'o.id'],
  email: [`coalesce(o.contact_email::text, '')`, 'o.id'],
};

/** All accounts except our own, one more than `limit` if there are more. */
export async function listAccounts(
  db: Reader,
  { search, sort, direction }: { search: string; sort: AccountColumn; direction: 'asc' | 'desc' },
  part: Part,
): Promise<AccountRow[]> {
  return listPart<AccountRow>(
    db,
    ACCOUNT,
    sql`${matches(search)} and o.kind <> 'root'`,
    sorted(ACCOUNT_KEYS[sort], direction, part),
    part,
  );
}

/** The number of matches, counted up to `most`. */
export async function countMatches(db: Reader, search: string, withRoot: boolean, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from organizations o where ${matches(search)} ${withRoot ? sql`` : sql`and o.kind <> 'root'`} limit ${most}
    ) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

type Sorted = { order: RawBuilder<unknown>; beyond: RawBuilder<unknown> };

/** Columns as the sort order and, compared with those of the row at the end of the previous page, as the key. */
function sorted(columns: readonly string[], direction: 'asc' | 'desc', { after, before }: Part): Sorted {
  const key = before ?? after;
  const isForward = before === null;
  const isUp = (direction === 'asc') === isForward;
  const all = columns.join(', ');
  const order = sql.raw(columns.map((column) => `${column} ${isUp ? 'asc' : 'desc'}`).join(', '));
  if (key === null) return { order, beyond: sql`` };
  return {
    order,
    beyond: sql`and (${sql.raw(all)}) ${sql.raw(isUp ? '>' : '<')} (select ${sql.raw(all)} from ${FROM} where o.id = ${key})`,
  };
}

async function listPart<Row>(
  db: Reader,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { order, beyond }: Sorted,
  { limit }: Part,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columns} from ${FROM} where ${where} ${beyond} order by ${order} limit ${limit + 1}`.execute(db);
  return rows;
}

/** Existing organizations with this path or host label, at most two; below one parent, or that parent itself, if given. */
export async function listNamed(db: Reader, domainName: string, parentId: number | null) {
  let query = db
    .selectFrom('organizations')
    .select('id')
    .where('domain_name', '=', domainName)
    .where('deleted_at', 'is', null)
    .limit(2);
  if (parentId !== null)
    query = query.where((eb) =>
      eb.or([
        eb('parent_organization_id', '=', parentId),
        eb.and([eb('id', '=', parentId), eb('parent_organization_id', 'is', null)]),
      ]),
    );
  return query.execute();
}

/**
 * Locks the row against transactions that are about to write references to it (orders, affiliates, payouts): what they have
 * written is visible afterwards, and later writes find it deleted.
 */
export async function lockForDeletion(tx: Writer, id: number) {
  return tx
    .selectFrom('organizations')
    .select(['kind', 'name', 'domain_name as domainName', 'parent_organization_id as parentId'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function hasChildren(db: Reader, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('parent_organization_id', '=', id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Soft deletion: the row stays for its orders and their receipts; its path is free from now on. */
export async function markDeleted(tx: Writer, id: number): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Finds many organizations at once, by what people call them. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export type FoundOrganization = {
  id: number;
  name: string;
  domainName: string;
  isFree: boolean;
};

const COLUMNS = ['id', 'name', 'domain_name as domainName', 'free_tier as isFree'] as const;

/** Parents and the root whose name, in lower case, is one of these. */
export async function listParentsNamed(db: Reader, names: readonly string[]): Promise<FoundOrganization[]> {
  return db
    .selectFrom('organizations')
    .select(COLUMNS)
    .where('parent_organization_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(btrim(name)) = any (${names}::text[])`)
    .execute();
}

/** Of any kind, whose path or host label is one of these. */
export async function listByDomainNames(db: Reader, domainNames: readonly string[]): Promise<FoundOrganization[]> {
  return db
    .selectFrom('organizations')
    .select(COLUMNS)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`domain_name = any (${domainNames}::citext[])`)
    .execute();
}

/** Which of these paths below parents are someone's. */
export async function listTakenPaths(
  db: Reader,
  places: readonly { parentId: number; path: string }[],
): Promise<{ parentId: number; path: string }[]> {
  const { rows } = await sql<{ parentId: number; path: string }>`
    select wanted.parent_id as "parentId", wanted.path
      from unnest(${places.map(({ parentId }) => parentId)}::bigint[], ${places.map(({ path }) => path)}::text[]) as wanted (parent_id, path)
      join organizations o on o.parent_organization_id = wanted.parent_id and o.domain_name = wanted.path::citext and o.deleted_at is null`.execute(
    db,
  );
  return rows;
}

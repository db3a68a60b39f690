/** Files name organizations as people do; here all names of a file are looked up at once. */
import * as lookupSql from '#src/features/tenancy/organization-lookup.sql.ts';
import type { FoundOrganization } from '#src/features/tenancy/organization-lookup.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

export type { FoundOrganization } from '#src/features/tenancy/organization-lookup.sql.ts';

/** Names are compared without regard to case and to spaces around them. */
export const comparedName = (name: string): string => name.trim().toLowerCase();

/** Parents (and the root) by their compared names; several may have the same one. */
export async function parentsNamed(db: Reader, names: Iterable<string>): Promise<Map<string, FoundOrganization[]>> {
  const wanted = [...new Set([...names].map(comparedName))];
  return grouped(await lookupSql.listParentsNamed(db, wanted), ({ name }) => comparedName(name));
}

/** Organizations by their domain names in lower case; below different parents several may have the same one. */
export async function organizationsAt(
  db: Reader,
  domainNames: Iterable<string>,
): Promise<Map<string, FoundOrganization[]>> {
  const wanted = [...new Set([...domainNames].map(comparedName))];
  return grouped(await lookupSql.listByDomainNames(db, wanted), ({ domainName }) => comparedName(domainName));
}

/** One of many paths, as text that can be compared. */
export const placeOf = (parentId: number, path: string): string => `${parentId}/${path.toLowerCase()}`;

/** Which of these places are someone's, as `placeOf` writes them. */
export async function takenPlaces(
  db: Reader,
  places: readonly { parentId: number; path: string }[],
): Promise<Set<string>> {
  if (places.length === 0) return new Set();
  return new Set((await lookupSql.listTakenPaths(db, places)).map(({ parentId, path }) => placeOf(parentId, path)));
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

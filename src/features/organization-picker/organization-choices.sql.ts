/** Reads organizations for lists to choose from. */
import { sql } from 'kysely';
import type { ChoiceKind } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { literalPattern } from '#src/platform/db/literal-pattern.ts';

function selectChoices(db: Reader) {
  return db
    .selectFrom('organizations as o')
    .leftJoin('organizations as p', 'p.id', 'o.parent_organization_id')
    .select((eb) => [
      'o.id',
      'o.name',
      'o.domain_name as domainName',
      'o.parent_organization_id as parentOrganizationId',
      'p.name as parentName',
      eb.fn.coalesce('p.domain_name', 'o.domain_name').as('hostLabel'),
      'o.free_tier as freeTier',
      'o.default_photo_price_cents as defaultPhotoPriceCents',
      'o.deleted_at as deletedAt',
    ]);
}

/** The parent and those below it, deleted ones too; without a parent all. */
const ofSellers = (parentId: number | undefined) =>
  parentId === undefined ? sql<boolean>`true` : sql<boolean>`${parentId} in (o.id, o.parent_organization_id)`;

export type ChoiceRow = Awaited<ReturnType<typeof listChoices>>[number];

/** By name; the search is a literal, accent-insensitive part of the name or the path (rule 31). */
export async function listChoices(
  db: Reader,
  { of, search, parentId, limit }: { of: ChoiceKind; search: string; parentId?: number | undefined; limit: number },
) {
  let query = selectChoices(db);
  if (of === 'sellers') query = query.where(ofSellers(parentId));
  else {
    query = query
      .where('o.deleted_at', 'is', null)
      .where('o.parent_organization_id', of === 'parents' ? 'is' : 'is not', null);
    if (parentId !== undefined) query = query.where('o.parent_organization_id', '=', parentId);
  }
  if (search !== '') {
    const pattern = literalPattern(search);
    query = query.where(sql<boolean>`(fold_text(o.name) like ${pattern} or o.domain_name::text like ${pattern})`);
  }
  return query.orderBy('o.name').orderBy('o.id').limit(limit).execute();
}

/** `parentId`: among its sellers. */
export async function findChoice(db: Reader, id: number, parentId: number | undefined) {
  const query = selectChoices(db).where('o.id', '=', id);
  const wanted = parentId === undefined ? query.where('o.deleted_at', 'is', null) : query.where(ofSellers(parentId));
  return wanted.executeTakeFirst();
}

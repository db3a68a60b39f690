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
    ])
    .where('o.deleted_at', 'is', null);
}

export type ChoiceRow = Awaited<ReturnType<typeof listChoices>>[number];

/** By name; the search is a literal, accent-insensitive part of the name or the path (rule 31). */
export async function listChoices(
  db: Reader,
  { of, search, parentId, limit }: { of: ChoiceKind; search: string; parentId?: number | undefined; limit: number },
) {
  let query = selectChoices(db).where('o.parent_organization_id', of === 'parents' ? 'is' : 'is not', null);
  if (parentId !== undefined) query = query.where('o.parent_organization_id', '=', parentId);
  if (search !== '') {
    const pattern = literalPattern(search);
    query = query.where(sql<boolean>`(fold_text(o.name) like ${pattern} or o.domain_name::text like ${pattern})`);
  }
  return query.orderBy('o.name').orderBy('o.id').limit(limit).execute();
}

export async function findChoice(db: Reader, id: number) {
  return selectChoices(db).where('o.id', '=', id).executeTakeFirst();
}

/** Of the table organizations: whom a name means, and the end of one. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type Named = { id: number; parentId: number | null };

/** Living organizations of this path or host label, at most two of them; below one parent, or that parent itself, where it is given. */
export async function listNamed(db: Reader, domainName: string, parentId: number | null): Promise<Named[]> {
  let query = db
    .selectFrom('organizations')
    .select(['id', 'parent_organization_id as parentId'])
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
 * Holds the row against everyone who is about to write something that refers to it (orders, affiliates, payouts): what they have
 * written is seen afterwards, what they write later finds it deleted. Null when it is gone already.
 */
export async function lockForDeletion(
  tx: Writer,
  id: number,
): Promise<{ kind: string; name: string; domainName: string; parentId: number | null } | null> {
  const row = await tx
    .selectFrom('organizations')
    .select(['kind', 'name', 'domain_name as domainName', 'parent_organization_id as parentId'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
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

/** Soft: the row stays for its orders and their receipts; its path is anyone's from now on. */
export async function markDeleted(tx: Writer, id: number): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

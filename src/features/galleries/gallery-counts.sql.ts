/** What makers of many galleries ask beforehand, for all of them at once. */
import type { Reader } from '#src/platform/db/db.ts';

/** Those of the galleries that were not deleted. */
export async function listActive(db: Reader, galleryIds: readonly number[]): Promise<Set<number>> {
  if (galleryIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('galleries')
    .select('id')
    .where('id', '=', (eb) => eb.fn.any(eb.val(galleryIds)))
    .where('active', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Those of the organizations that have an active gallery. */
export async function listOwnersOfActive(db: Reader, organizationIds: readonly number[]): Promise<Set<number>> {
  if (organizationIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('galleries')
    .select('organization_id')
    .distinct()
    .where('organization_id', '=', (eb) => eb.fn.any(eb.val(organizationIds)))
    .where('active', '=', true)
    .execute();
  return new Set(rows.map(({ organization_id }) => organization_id));
}

/** Table of this module: page_changes, which triggers fill (migration 0044). */
import { CompiledQuery, sql } from 'kysely';
import { REVISION, type FoundRevision } from '#src/features/tenancy/revisions.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';

/** The subject of a value: an organization's own facts (`galleryId` 0), one gallery, or all galleries (null). */
export type Subject = { organizationId: number; galleryId: number | null };

/** The ids are JSON, because PostgreSQL would plan an array again for each length. */
const FIND = asPrepared(`select found.revision::text, found.changes::integer
  from json_to_recordset($1) as asked (at integer, organization_id bigint, gallery_id bigint)
  cross join lateral (
    select ${REVISION} as revision, count(*) as changes
      from page_changes c
     where c.organization_id = asked.organization_id
       and c.gallery_id between coalesce(asked.gallery_id, 0) and coalesce(asked.gallery_id, 9223372036854775807)) as found
 order by asked.at`);

/** For each subject, in order. */
export async function findRevisions(db: Reader, subjects: readonly Subject[]): Promise<FoundRevision[]> {
  const { rows } = await db.executeQuery<FoundRevision>(
    CompiledQuery.raw(FIND, [
      JSON.stringify(
        subjects.map(({ organizationId, galleryId }, at) => ({
          at,
          organization_id: organizationId,
          gallery_id: galleryId,
        })),
      ),
    ]),
  );
  return rows;
}

/** Replaces all changes of an organization with a new one: every revision of it changes. */
export async function compactChanges(tx: Writer, organizationId: number): Promise<void> {
  await tx.deleteFrom('page_changes').where('organization_id', '=', organizationId).execute();
  await tx.insertInto('page_changes').values({ organization_id: organizationId, gallery_id: 0 }).execute();
}

/** The same for every organization with more changes than that, some at a time; returns how many. */
export async function compactLongLists(
  tx: Writer,
  { moreThan, limit }: { moreThan: number; limit: number },
): Promise<number> {
  await sql`set local statement_timeout = '120s'`.execute(tx);
  const { rows } = await sql`
    with long as (select organization_id from page_changes group by organization_id having count(*) > ${moreThan} limit ${limit}),
         gone as (delete from page_changes where organization_id in (select organization_id from long))
    insert into page_changes (organization_id, gallery_id) select organization_id, 0 from long returning 1`.execute(tx);
  return rows.length;
}

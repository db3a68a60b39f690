/** Example galleries for the home pages: public, newest first. */
import { sql } from 'kysely';
import { IS_OPEN } from '#src/features/galleries/galleries.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

export type ShowcaseRow = {
  id: number;
  organizationId: number;
  name: string;
  priceCents: number;
  photoCount: number;
  createdAt: Date;
};

const COLUMNS = sql.raw(
  'g.id, g.organization_id as "organizationId", g.name, g.price_cents as "priceCents", g.public_photo_count as "photoCount", g.created_at as "createdAt"',
);

/** The newest of the organizations that a platform admin selected for the home page (rule 52). */
export async function newestGalleries(db: Reader, limit: number): Promise<ShowcaseRow[]> {
  const { rows } = await sql<ShowcaseRow>`
    select ${COLUMNS}
      from galleries g join organizations o on o.id = g.organization_id and o.shown_on_home_page and o.deleted_at is null
     where ${IS_OPEN}
     order by g.created_at desc, g.id
     limit ${limit}`.execute(db);
  return rows;
}

/** The newest one of each of these organizations. */
export async function newestOfEach(db: Reader, organizationIds: readonly number[]): Promise<ShowcaseRow[]> {
  const { rows } = await sql<ShowcaseRow>`
    select newest.*
      from unnest(${organizationIds}::bigint[]) as wanted(id)
      cross join lateral (
        select ${COLUMNS} from galleries g where g.organization_id = wanted.id and ${IS_OPEN} order by g.created_at desc, g.id limit 1
      ) as newest`.execute(db);
  return rows;
}

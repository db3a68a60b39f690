/** Data for search engines by host: public galleries, and the affiliates that have some. */
import { sql } from 'kysely';
import { IS_OPEN } from '#src/features/galleries/galleries.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

type ListedPage = { path: string; galleryId: number; updatedAt: Date };

/** The host's own organization and its children. */
const ofHost = (hostId: number) =>
  sql`o.deleted_at is null and (o.id = ${hostId} or o.parent_organization_id = ${hostId})`;

/** The next public galleries of a host after one, by id. */
export async function listOpenGalleries(db: Reader, hostId: number, page: { after: number; limit: number }) {
  const { rows } = await sql<ListedPage>`
    select o.domain_name as path, g.id as "galleryId", g.updated_at as "updatedAt"
      from organizations o join galleries g on g.organization_id = o.id
     where ${ofHost(hostId)} and ${IS_OPEN} and g.id > ${page.after}
     order by g.id
     limit ${page.limit}`.execute(db);
  return rows;
}

/** The last id of each full page of a host's public galleries. */
export async function listPageEnds(db: Reader, hostId: number, perPage: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select g.id, row_number() over (order by g.id) as place
        from organizations o join galleries g on g.organization_id = o.id
       where ${ofHost(hostId)} and ${IS_OPEN}
    ) as placed
     where place % ${perPage} = 0
     order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Paths of the affiliates of a host that have public galleries. */
export async function listOpenAffiliates(db: Reader, hostId: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select o.domain_name as path
      from organizations o
     where ${ofHost(hostId)} and o.id <> ${hostId}
       and exists (select from galleries g where g.organization_id = o.id and ${IS_OPEN})
     order by o.id
     limit ${limit}`.execute(db);
  return rows.map(({ path }) => path);
}

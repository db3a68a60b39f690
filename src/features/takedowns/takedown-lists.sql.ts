/** Requests as their owners read them, with the photo and the gallery they are about. */
import { sql } from 'kysely';
import type { ListedTakedown } from '#src/features/takedowns/takedown-answers.rules.ts';
import type { TakedownState } from '#src/features/takedowns/takedowns.contract.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** Most that are counted. */
const COUNTED = 100;

/** The newest first, by key. */
export async function listTakedowns(
  db: Reader,
  search: {
    organizationIds: readonly number[];
    state: 'open' | 'decided' | null;
    before: number | null;
    limit: number;
    only?: number;
  },
): Promise<ListedTakedown[]> {
  let query = db
    .selectFrom('takedowns as t')
    .innerJoin('photos as p', 'p.id', 't.photo_id')
    .innerJoin('galleries as g', 'g.id', 't.gallery_id')
    .innerJoin('organizations as o', 'o.id', 't.organization_id')
    .leftJoin('users as u', 'u.id', 't.decided_by')
    .select([
      't.id',
      sql<TakedownState>`t.state`.as('state'),
      't.organization_id as organizationId',
      't.gallery_id as galleryId',
      'g.name as galleryName',
      'g.display_watermark as displayWatermark',
      'o.domain_name as affiliate',
      't.photo_id as photoId',
      'p.name as photoName',
      'p.status as photoStatus',
      'p.pixel_version as pixelVersion',
      'p.width',
      'p.height',
      'p.show_in_gallery as showInGallery',
      sql<boolean>`p.removed_at is not null`.as('isRemoved'),
      'p.sales_count as salesCount',
      't.reason',
      't.contact',
      't.guardian',
      't.hid_first as hidFirst',
      't.asked_at as askedAt',
      't.decided_at as decidedAt',
      sql<string | null>`u.first_name || ' ' || u.last_name`.as('decidedBy'),
      't.note',
    ])
    .where('t.organization_id', 'in', [...search.organizationIds])
    .orderBy('t.id', 'desc')
    .limit(search.limit);
  if (search.state !== null) query = query.where('t.state', search.state === 'open' ? '=' : '<>', 'open');
  if (search.before !== null) query = query.where('t.id', '<', search.before);
  if (search.only !== undefined) query = query.where('t.id', '=', search.only);
  return query.execute();
}

/** Requests that wait, up to 100. */
export async function countOpen(db: Reader, organizationIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from takedowns where state = 'open' and organization_id = any(${organizationIds}::bigint[]) limit ${COUNTED}
    ) as waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The organization and those below it. */
export async function listFamily(db: Reader, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from organizations
     where deleted_at is null and (id = ${organizationId} or parent_organization_id = ${organizationId})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Addresses of those who administer the organization, else of those who administer its parent. */
export async function listOwners(db: Reader, organizationId: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    with own as (
      select u.email, m.organization_id = ${organizationId} as is_own
        from memberships m join users u on u.id = m.user_id
       where m.role = 2 and u.deleted_at is null
         and m.organization_id in (
           select ${organizationId}::bigint
           union all select parent_organization_id from organizations where id = ${organizationId} and parent_organization_id <> 1)
    )
    select distinct email from own
     where is_own or not exists (select from own where is_own)
     order by email limit ${limit}`.execute(db);
  return rows.map(({ email }) => email);
}

/** Reads galleries. Of the organization it reads only name, parent and plan, which decide rights and limits. */
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import type { Gallery, GalleryPlace } from '#src/features/galleries/galleries.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';
import type { ContributorAnswer } from '#src/features/galleries/galleries.contract.ts';
import { KEY_IS_LIVE } from '#src/features/galleries/contribute-keys.sql.ts';
import { literalPattern } from '#src/platform/db/literal-pattern.ts';

/** The source of each fact: `g` is the gallery, `o` its organization. */
const SOURCES = {
  id: 'g.id',
  organizationId: 'g.organization_id',
  parentOrganizationId: 'o.parent_organization_id',
  organizationName: 'o.name',
  freeTier: 'o.free_tier',
  name: 'g.name',
  active: 'g.active',
  isPrivate: 'g.is_private',
  priceCents: 'g.price_cents',
  priceSheetId: 'g.price_sheet_id',
  photosBy: 'g.photos_by',
  displayWatermark: 'g.display_watermark',
  displayGoal: 'g.display_goal',
  goalDescription: 'g.goal_description',
  targetGoalCents: 'g.target_goal_cents',
  passwordRequired: 'g.password_required',
  hasPassword: 'g.password_encrypted is not null',
  passwordVersion: 'g.password_version',
  allowPublicContributions: 'g.allow_public_contributions',
  allowVoting: 'g.allow_voting',
  hasTags: 'g.has_tags',
  photoCount: 'g.photo_count',
  publicPhotoCount: 'g.public_photo_count',
  photosSold: 'g.photos_sold',
  salesCents: 'g.sales_cents',
  donationsCents: 'g.donations_cents',
  createdAt: 'g.created_at',
  updatedAt: 'g.updated_at',
} as const satisfies Record<keyof Gallery, string>;

const COLUMNS = Object.entries(SOURCES)
  .map(([name, source]) => `${source} as "${name}"`)
  .join(', ');

/** The same facts as one object, for statements that bring a gallery with other rows (`readGallery`). */
export const GALLERY_OBJECT = `json_build_object(${Object.entries(SOURCES)
  .map(([name, source]) => `'${name}', ${source}`)
  .join(', ')})`;

/** In JSON, moments are text. */
export type GalleryObject = Omit<Gallery, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string>;

export const readGallery = (row: GalleryObject): Gallery => ({
  ...row,
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
});

/** Written out once: this runs before every answer about a gallery. */
const FIND = asPrepared(
  `select ${COLUMNS} from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null where g.id = $1`,
);

/** The gallery with the facts that rights depend on; one query. Inactive ones are found only within their tenant's scope. */
export async function findGallery(db: Reader, galleryId: number): Promise<Gallery | null> {
  const { rows } = await db.executeQuery<Gallery>(CompiledQuery.raw(FIND, [galleryId]));
  return rows[0] ?? null;
}

/** These galleries, if they are active, in any order. */
export async function listGalleriesById(db: Reader, ids: readonly number[]): Promise<Gallery[]> {
  const { rows } = await sql<Gallery>`
    select ${sql.raw(COLUMNS)} from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null
     where g.id = any (${[...ids]}::bigint[]) and g.active`.execute(db);
  return rows;
}

/** Encrypted. */
type SealedSecrets = { passwordEncrypted: Buffer | null; keyEncrypted: Buffer | null };

/** Only within the gallery's tenant's scope. The key of an expired link is left out, because it is no longer valid. */
export async function findSealed(db: Reader, galleryId: number): Promise<SealedSecrets> {
  const row = await db
    .selectFrom('galleries as g')
    .leftJoin('contribute_keys as k', (join) => join.onRef('k.gallery_id', '=', 'g.id').on(KEY_IS_LIVE))
    .select(['g.password_encrypted', 'k.key_encrypted'])
    .where('g.id', '=', galleryId)
    .executeTakeFirst();
  return { passwordEncrypted: row?.password_encrypted ?? null, keyEncrypted: row?.key_encrypted ?? null };
}

export type ListedRow = Gallery & { createdText: string } & SealedSecrets;

type GalleryFilter = {
  organizationId: number;
  /** Listed ones (active, not private, with public photos) or all active ones. */
  audience: 'public' | 'members';
  /** Part of the name, ignoring case and accents. */
  search: string;
};

/** If more galleries match a name, it is faster to check the newest ones one after another. */
const RARE_NAMES = 500;

/** Whether visitors find the gallery `g` in the lists of its organization. */
const IS_LISTED = sql`g.active and not g.is_private and g.public_photo_count > 0`;
/** Whether it may also be shown elsewhere: on home pages of others and to search engines. */
export const IS_OPEN = sql`${IS_LISTED} and not g.password_required`;

async function matching(db: Reader, { organizationId, audience, search }: GalleryFilter): Promise<RawBuilder<unknown>> {
  const all = sql`g.organization_id = ${organizationId} and ${audience === 'public' ? IS_LISTED : sql`g.active`}`;
  if (search === '') return all;
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(id), '{}') as ids
      from galleries_named(${organizationId}, ${literalPattern(search)}, ${RARE_NAMES + 1}) as id`.execute(db);
  const ids = rows[0]?.ids ?? [];
  return ids.length > RARE_NAMES
    ? sql`${all} and fold_text(g.name) like ${literalPattern(search)}`
    : sql`${all} and g.id = any(${ids}::bigint[])`;
}

/** After a position in a list that begins with the newest. */
const laterThan = (after: GalleryPlace | null) =>
  after
    ? sql`and g.created_at <= ${after.createdText}::timestamptz and (g.created_at < ${after.createdText}::timestamptz or g.id > ${after.id})`
    : sql``;

/** Newest first. Visitors' rows contain no secrets. */
export async function listGalleries(
  db: Reader,
  filter: GalleryFilter,
  page: { after: GalleryPlace | null; skip: number; limit: number },
): Promise<ListedRow[]> {
  const isMembers = filter.audience === 'members';
  const sealed = isMembers
    ? sql`g.password_encrypted as "passwordEncrypted", k.key_encrypted as "keyEncrypted"`
    : sql`null as "passwordEncrypted", null as "keyEncrypted"`;
  const keys = isMembers ? sql`left join contribute_keys k on k.gallery_id = g.id and ${KEY_IS_LIVE}` : sql``;
  const { rows } = await sql<ListedRow>`
    select ${sql.raw(COLUMNS)}, g.created_at::text as "createdText", ${sealed}
      from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null ${keys}
     where ${await matching(db, filter)} ${laterThan(page.after)}
     order by g.created_at desc, g.id
     limit ${page.limit} offset ${page.skip}`.execute(db);
  return rows;
}

/** How many there are, counted up to `most`. */
export async function countGalleries(db: Reader, filter: GalleryFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
      from (select from galleries g where ${await matching(db, filter)} limit ${most}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}

type DeletedRow = {
  id: number;
  name: string;
  photoCount: number;
  createdAt: Date;
  createdText: string;
  updatedAt: Date;
};

/** The newest first. */
export async function listDeleted(
  db: Reader,
  organizationId: number,
  { after, limit }: { after: GalleryPlace | null; limit: number },
): Promise<DeletedRow[]> {
  const { rows } = await sql<DeletedRow>`
    select g.id, g.name, g.photo_count as "photoCount", g.created_at as "createdAt", g.created_at::text as "createdText",
           g.updated_at as "updatedAt"
      from galleries g where g.organization_id = ${organizationId} and not g.active ${laterThan(after)}
     order by g.created_at desc, g.id limit ${limit}`.execute(db);
  return rows;
}

export type GalleryGoal = {
  id: number;
  name: string;
  /** Null without a goal, or if it is not shown. */
  goal: { recipient: string; raisedCents: number; targetCents: number } | null;
};

/** The active ones of these galleries, in any order. */
export async function listGoals(db: Reader, galleryIds: readonly number[]): Promise<GalleryGoal[]> {
  const rows = await db
    .selectFrom('galleries')
    .select(['id', 'name', 'display_goal', 'goal_description', 'target_goal_cents', 'sales_cents', 'donations_cents'])
    .where('id', 'in', galleryIds)
    .where('active', '=', true)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    goal:
      row.display_goal && row.target_goal_cents > 0
        ? {
            recipient: row.goal_description,
            raisedCents: row.sales_cents + row.donations_cents,
            targetCents: row.target_goal_cents,
          }
        : null,
  }));
}

const MAX_CONTRIBUTORS = 1_000;

/**
 * Contributors of a gallery, first ones first. Only within the gallery's tenant's scope: their addresses are never
 * public (rule 8).
 */
export async function listContributors(db: Reader, galleryId: number): Promise<ContributorAnswer[]> {
  return db
    .selectFrom('gallery_contributors')
    .select(['id', 'name', 'email', 'site', 'instagram'])
    .where('gallery_id', '=', galleryId)
    .orderBy('id')
    .limit(MAX_CONTRIBUTORS)
    .execute();
}

/** The given galleries that were not deleted. */
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

/** The given organizations that have an active gallery. */
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

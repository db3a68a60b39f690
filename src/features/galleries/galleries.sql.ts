/** Reads of galleries. Of the organization only name, parent and plan are read, because rights and limits hang on them. */
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import type { Gallery, GalleryPlace } from '#src/features/galleries/galleries.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';

/** Where each fact of a gallery comes from: `g` is the gallery, `o` its organization. */
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

/** Written out once: this runs before every answer about a gallery. */
const FIND = asPrepared(
  `select ${COLUMNS} from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null where g.id = $1`,
);

/** The gallery with what rights depend on; one query. Inactive ones are found only within their tenant's scope. */
export async function findGallery(db: Reader, galleryId: number): Promise<Gallery | null> {
  const { rows } = await db.executeQuery<Gallery>(CompiledQuery.raw(FIND, [galleryId]));
  return rows[0] ?? null;
}

/** What is sealed of a gallery; only within its tenant's scope. An expired link's key is not shown: it opens nothing. */
export type SealedSecrets = { passwordEncrypted: Buffer | null; keyEncrypted: Buffer | null };

export async function findSealed(db: Reader, galleryId: number): Promise<SealedSecrets> {
  const row = await db
    .selectFrom('galleries as g')
    .leftJoin('contribute_keys as k', (join) =>
      join
        .onRef('k.gallery_id', '=', 'g.id')
        .on('k.revoked_at', 'is', null)
        .on((on) => on.or([on('k.expires_at', 'is', null), on('k.expires_at', '>', sql<Date>`now()`)])),
    )
    .select(['g.password_encrypted', 'k.key_encrypted'])
    .where('g.id', '=', galleryId)
    .executeTakeFirst();
  return { passwordEncrypted: row?.password_encrypted ?? null, keyEncrypted: row?.key_encrypted ?? null };
}

export type ListedRow = Gallery & { createdText: string } & SealedSecrets;

export type GalleryFilter = {
  organizationId: number;
  /** Listed ones (active, not private, with public photos) or all active ones. */
  audience: 'public' | 'members';
  /** Part of the name, without case and accents. */
  search: string;
};

/** A name that more galleries have than this is found sooner by looking at the newest one after the other. */
const RARE_NAMES = 500;

async function matching(db: Reader, { organizationId, audience, search }: GalleryFilter): Promise<RawBuilder<unknown>> {
  const listed = audience === 'public' ? sql`and not g.is_private and g.public_photo_count > 0` : sql``;
  const all = sql`g.organization_id = ${organizationId} and g.active ${listed}`;
  if (search === '') return all;
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(id), '{}') as ids
      from galleries_named(${organizationId}, ${literalPattern(search)}, ${RARE_NAMES + 1}) as id`.execute(db);
  const ids = rows[0]?.ids ?? [];
  return ids.length > RARE_NAMES
    ? sql`${all} and fold_text(g.name) like ${literalPattern(search)}`
    : sql`${all} and g.id = any(${ids}::bigint[])`;
}

/** `%text%` in which nothing of the text is a wildcard. Folded first: folding may bring forth a wildcard. */
function literalPattern(search: string): RawBuilder<string> {
  return sql<string>`'%' || replace(replace(replace(fold_text(${search}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;
}

/** Newest first. Visitors' rows carry nothing sealed. */
export async function listGalleries(
  db: Reader,
  filter: GalleryFilter,
  page: { after: GalleryPlace | null; skip: number; limit: number },
): Promise<ListedRow[]> {
  const { after } = page;
  const later = after
    ? sql`and g.created_at <= ${after.createdText}::timestamptz and (g.created_at < ${after.createdText}::timestamptz or g.id > ${after.id})`
    : sql``;
  const isMembers = filter.audience === 'members';
  const sealed = isMembers
    ? sql`g.password_encrypted as "passwordEncrypted", k.key_encrypted as "keyEncrypted"`
    : sql`null as "passwordEncrypted", null as "keyEncrypted"`;
  const keys = isMembers
    ? sql`left join contribute_keys k on k.gallery_id = g.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`
    : sql``;
  const { rows } = await sql<ListedRow>`
    select ${sql.raw(COLUMNS)}, g.created_at::text as "createdText", ${sealed}
      from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null ${keys}
     where ${await matching(db, filter)} ${later}
     order by g.created_at desc, g.id
     limit ${page.limit} offset ${page.skip}`.execute(db);
  return rows;
}

/** How many there are, counted up to `most`. */
export async function countGalleries(db: Reader, filter: GalleryFilter, most: number): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (select from galleries g where ${await matching(db, filter)} limit ${most}) as found`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

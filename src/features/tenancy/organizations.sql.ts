/** Tables of this module: organizations, organization_private, organization_aliases. */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { OrganizationKind } from '#src/features/tenancy/organizations.contract.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { FREE_PLAN, platformShareBps, PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

const COLUMNS = [
  'id',
  'kind',
  'name',
  'domain_name as domainName',
  'parent_organization_id as parentOrganizationId',
  'free_tier as freeTier',
  'share_bps as shareBps',
  'primary_color as primaryColor',
  'default_photo_price_cents as defaultPhotoPriceCents',
  'logo_key',
  'home_image_key',
  'tablet_ad_key',
  'tablet_ad_url as tabletAdUrl',
  'mobile_ad_key',
  'mobile_ad_url as mobileAdUrl',
  'can_add_custom_payment as canAddCustomPayment',
  'stripe_pk as stripePk',
  'contact_email as contactEmail',
  'takes_promo_codes as takesPromoCodes',
  'takes_codes as takesCodes',
  'time_zone as timeZone',
] as const;

function selectOrganizations(db: Reader) {
  return db.selectFrom('organizations').select(COLUMNS).where('deleted_at', 'is', null);
}

type Row = ReturnType<typeof selectOrganizations> extends SelectQueryBuilder<infer _DB, infer _TB, infer O> ? O : never;

function readRow({ logo_key, home_image_key, tablet_ad_key, mobile_ad_key, ...row }: Row): Organization {
  return {
    ...row,
    kind: row.kind as OrganizationKind,
    pictureKeys: { logo: logo_key, home_image: home_image_key, tablet_ad: tablet_ad_key, mobile_ad: mobile_ad_key },
  };
}

/** The root or a parent by its host label. */
export async function findByHostLabel(db: Reader, label: string): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where('parent_organization_id', 'is', null)
    .where('domain_name', '=', label)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** By id, following an alias (rule 34). */
export async function findById(db: Reader, id: number): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where(
      'id',
      '=',
      sql<number>`coalesce((select organization_id from organization_aliases where alias_id = ${id}), ${id}::bigint)`,
    )
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** A deleted organization, for its buyers' receipts. */
export async function findDeleted(db: Reader, id: number): Promise<Organization | null> {
  const row = await db
    .selectFrom('organizations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** A child by its path below a parent. */
export async function findByPath(db: Reader, parentId: number, path: string): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where('parent_organization_id', '=', parentId)
    .where('domain_name', '=', path)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** A child by its path below any parent, if no other child has the same path. */
export async function findOnlyByPath(db: Reader, path: string): Promise<Organization | null> {
  const rows = await selectOrganizations(db)
    .where('parent_organization_id', 'is not', null)
    .where('domain_name', '=', path)
    .limit(2)
    .execute();
  const [row] = rows;
  return row && rows.length === 1 ? readRow(row) : null;
}

/** A child by a former path that no one has now. */
export async function findByFormerPath(db: Reader, parentId: number, path: string): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('organization_former_paths as former')
        .select('former.organization_id')
        .where('former.parent_organization_id', '=', parentId)
        .where('former.domain_name', '=', path),
    )
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** Active organizations in the order of their names, after a name and id if given. */
export async function listForSearch(
  db: Reader,
  limit: number,
  after: Pick<Organization, 'name' | 'id'> | null,
): Promise<Organization[]> {
  const rows = await selectOrganizations(db)
    .$if(after !== null, (query) => query.where(sql<boolean>`(name, id) > (${after?.name}, ${after?.id})`))
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(readRow);
}

/**
 * The children on a parent's home page: those that the office or the parent opened. An organization that signed up itself is
 * listed once a platform admin has selected it (rule 52).
 */
export async function listChildren(db: Reader, parentId: number, limit: number): Promise<Organization[]> {
  const rows = await selectOrganizations(db)
    .where('parent_organization_id', '=', parentId)
    .where((eb) => eb.or([eb('signed_up_itself', '=', false), eb('shown_on_home_page', '=', true)]))
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(readRow);
}

/** The organization and those below it, closed ones included. */
export async function listFamily(db: Reader, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('organizations')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', id), eb('parent_organization_id', '=', id)]))
    .execute();
  return rows.map((row) => row.id);
}

export type NewOrganization = {
  kind: OrganizationKind;
  name: string;
  domainName: string;
  parentOrganizationId: number | null;
  contactName: string | null;
  contactEmail: string | null;
  freeTier: boolean;
  /** It was not opened by the office. */
  signedUpItself?: boolean;
  logoKey?: string | null;
  /** Stored as a private fact from the start. */
  billingZip?: string | null;
  taxId?: string | null;
};

/** Whether an organization is active; it stays so until the transaction ends. */
export async function lockActive(tx: Writer, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertOrganization(tx: Writer, fresh: NewOrganization): Promise<number> {
  const row = await tx
    .insertInto('organizations')
    .values({
      kind: fresh.kind,
      name: fresh.name,
      domain_name: fresh.domainName,
      parent_organization_id: fresh.parentOrganizationId,
      contact_name: fresh.contactName,
      contact_email: fresh.contactEmail,
      free_tier: fresh.freeTier,
      share_bps: platformShareBps(fresh.freeTier ? FREE_PLAN : PREMIUM_PLAN),
      signed_up_itself: fresh.signedUpItself ?? false,
      logo_key: fresh.logoKey ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('organization_private')
    .values({ organization_id: row.id, billing_zip: fresh.billingZip ?? null, tax_id: fresh.taxId ?? null })
    .execute();
  return row.id;
}

const LOOKS = {
  primaryColor: 'primary_color',
  logoKey: 'logo_key',
  homeImageKey: 'home_image_key',
  tabletAdKey: 'tablet_ad_key',
  tabletAdUrl: 'tablet_ad_url',
  mobileAdKey: 'mobile_ad_key',
  mobileAdUrl: 'mobile_ad_url',
} as const;
export type OrganizationLooks = Partial<
  Record<keyof typeof LOOKS, string> & { takesPromoCodes: boolean; taxId: string }
>;

export async function updateLooks(tx: Writer, id: number, looks: OrganizationLooks): Promise<void> {
  const { taxId, takesPromoCodes, ...texts } = looks;
  const columns = Object.entries(texts).map(([name, text]) => [LOOKS[name as keyof typeof LOOKS], text]);
  const values = {
    ...Object.fromEntries(columns),
    ...(takesPromoCodes === undefined ? {} : { takes_promo_codes: takesPromoCodes }),
  };
  if (Object.keys(values).length > 0) await tx.updateTable('organizations').set(values).where('id', '=', id).execute();
  if (taxId !== undefined)
    await tx.updateTable('organization_private').set({ tax_id: taxId }).where('organization_id', '=', id).execute();
}

const FOUND = ['id', 'name', 'domain_name as domainName', 'free_tier as isFree'] as const;

/** Parents and the root whose name, in lower case, is one of these. */
export async function listParentsNamed(db: Reader, names: readonly string[]) {
  return db
    .selectFrom('organizations')
    .select(FOUND)
    .where('parent_organization_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(btrim(name)) = any (${names}::text[])`)
    .execute();
}

export type FoundOrganization = Awaited<ReturnType<typeof listParentsNamed>>[number];

/** Of any kind, whose path or host label is one of these. */
export async function listByDomainNames(db: Reader, domainNames: readonly string[]) {
  return db
    .selectFrom('organizations')
    .select(FOUND)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`domain_name = any (${domainNames}::citext[])`)
    .execute();
}

/** Which of these paths below parents are taken. */
export async function listTakenPaths(db: Reader, places: readonly { parentId: number; path: string }[]) {
  const { rows } = await sql<{ parentId: number; path: string }>`
    select wanted.parent_id as "parentId", wanted.path
      from unnest(${places.map(({ parentId }) => parentId)}::bigint[], ${places.map(({ path }) => path)}::text[]) as wanted (parent_id, path)
      join organizations o on o.parent_organization_id = wanted.parent_id
         and o.domain_name = wanted.path::citext and o.deleted_at is null`.execute(db);
  return rows;
}

const TERMS = [
  'id',
  'name',
  'free_tier',
  'share_bps',
  'takes_promo_codes',
  'reports_buyer_columns',
  'shown_on_home_page',
] as const;

export async function findTerms(db: Reader, id: number) {
  return db
    .selectFrom('organizations')
    .select(TERMS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}
export type TermsRow = NonNullable<Awaited<ReturnType<typeof findTerms>>>;

export type TermsColumns = Partial<
  Pick<TermsRow, 'free_tier' | 'share_bps' | 'takes_promo_codes' | 'reports_buyer_columns' | 'shown_on_home_page'>
>;

/** Absent ones stay. */
export async function updateTerms(tx: Writer, id: number, columns: TermsColumns): Promise<void> {
  if (Object.keys(columns).length > 0)
    await tx.updateTable('organizations').set(columns).where('id', '=', id).execute();
}

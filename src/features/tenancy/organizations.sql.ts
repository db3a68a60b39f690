/** Tables of this module: organizations, organization_private, organization_aliases. */
import { sql, type Kysely, type SelectQueryBuilder, type Transaction } from 'kysely';
import type { OrganizationKind } from '#src/features/tenancy/organizations.contract.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { Schema } from '#src/platform/db/schema.ts';

const COLUMNS = [
  'id',
  'kind',
  'name',
  'domain_name',
  'parent_organization_id',
  'free_tier',
  'share_bps',
  'primary_color',
  'default_photo_price_cents',
  'logo_key',
  'home_image_key',
  'tablet_ad_key',
  'tablet_ad_url',
  'mobile_ad_key',
  'mobile_ad_url',
  'can_add_custom_payment',
  'stripe_pk',
  'contact_email',
  'takes_promo_codes',
  'time_zone',
] as const;

function selectOrganizations(db: Kysely<Schema>) {
  return db.selectFrom('organizations').select(COLUMNS).where('deleted_at', 'is', null);
}

type Row = ReturnType<typeof selectOrganizations> extends SelectQueryBuilder<infer _DB, infer _TB, infer O> ? O : never;

function readRow(row: Row): Organization {
  return {
    id: row.id,
    kind: row.kind as OrganizationKind,
    name: row.name,
    domainName: row.domain_name,
    parentOrganizationId: row.parent_organization_id,
    freeTier: row.free_tier,
    shareBps: row.share_bps,
    primaryColor: row.primary_color,
    defaultPhotoPriceCents: row.default_photo_price_cents,
    pictureKeys: {
      logo: row.logo_key,
      home_image: row.home_image_key,
      tablet_ad: row.tablet_ad_key,
      mobile_ad: row.mobile_ad_key,
    },
    tabletAdUrl: row.tablet_ad_url,
    mobileAdUrl: row.mobile_ad_url,
    canAddCustomPayment: row.can_add_custom_payment,
    stripePk: row.stripe_pk,
    contactEmail: row.contact_email,
    takesPromoCodes: row.takes_promo_codes,
    timeZone: row.time_zone,
  };
}

/** The root or a parent by its host label. */
export async function findByHostLabel(db: Kysely<Schema>, label: string): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where('parent_organization_id', 'is', null)
    .where('domain_name', '=', label)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** By id, following an alias where one stands (rule 34). */
export async function findById(db: Kysely<Schema>, id: number): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where(
      'id',
      '=',
      sql<number>`coalesce((select organization_id from organization_aliases where alias_id = ${id}), ${id}::bigint)`,
    )
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** One that was deleted: its buyers' receipts still say who it was. */
export async function findDeleted(db: Kysely<Schema>, id: number): Promise<Organization | null> {
  const row = await db
    .selectFrom('organizations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** A child by its path below a parent. */
export async function findByPath(db: Kysely<Schema>, parentId: number, path: string): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where('parent_organization_id', '=', parentId)
    .where('domain_name', '=', path)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** A child by its path wherever it lives, if no other child has the same path. */
export async function findOnlyByPath(db: Kysely<Schema>, path: string): Promise<Organization | null> {
  const rows = await selectOrganizations(db)
    .where('parent_organization_id', 'is not', null)
    .where('domain_name', '=', path)
    .limit(2)
    .execute();
  const [row] = rows;
  return row && rows.length === 1 ? readRow(row) : null;
}

/** A child by a path that it had before, where no one has it now. */
export async function findByFormerPath(
  db: Kysely<Schema>,
  parentId: number,
  path: string,
): Promise<Organization | null> {
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

/** Active organizations in the order of their names, after a name and id, for search boxes. */
export async function listForSearch(db: Kysely<Schema>, limit: number): Promise<Organization[]> {
  const rows = await selectOrganizations(db).orderBy('name').orderBy('id').limit(limit).execute();
  return rows.map(readRow);
}

/**
 * The children that a parent's home lists: those that the office or the parent brought. Who signed up on its own is listed after a
 * platform admin ticked it (rule 52).
 */
export async function listChildren(db: Kysely<Schema>, parentId: number, limit: number): Promise<Organization[]> {
  const rows = await selectOrganizations(db)
    .where('parent_organization_id', '=', parentId)
    .where((eb) => eb.or([eb('signed_up_itself', '=', false), eb('shown_on_home_page', '=', true)]))
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(readRow);
}

export type NewOrganization = {
  kind: OrganizationKind;
  name: string;
  domainName: string;
  parentOrganizationId: number | null;
  contactName: string | null;
  contactEmail: string | null;
  freeTier: boolean;
  /** No one of the office opened it. */
  signedUpItself?: boolean;
  logoKey?: string | null;
  /** What it keeps to itself from the start. */
  billingZip?: string | null;
  taxId?: string | null;
};

/** Whether an organization is not deleted; it stays so until the transaction ends. */
export async function keepLiving(tx: Transaction<Schema>, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertOrganization(tx: Transaction<Schema>, fresh: NewOrganization): Promise<number> {
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

export async function setFreeTier(tx: Transaction<Schema>, id: number, freeTier: boolean): Promise<void> {
  await tx.updateTable('organizations').set({ free_tier: freeTier }).where('id', '=', id).execute();
}

export type OrganizationLooks = Partial<{
  primaryColor: string;
  logoKey: string;
  homeImageKey: string;
  tabletAdKey: string;
  tabletAdUrl: string;
  mobileAdKey: string;
  mobileAdUrl: string;
  taxId: string;
  takesPromoCodes: boolean;
}>;

export async function updateLooks(tx: Transaction<Schema>, id: number, looks: OrganizationLooks): Promise<void> {
  const { taxId, ...open } = looks;
  const values = {
    ...(open.primaryColor === undefined ? {} : { primary_color: open.primaryColor }),
    ...(open.logoKey === undefined ? {} : { logo_key: open.logoKey }),
    ...(open.homeImageKey === undefined ? {} : { home_image_key: open.homeImageKey }),
    ...(open.tabletAdKey === undefined ? {} : { tablet_ad_key: open.tabletAdKey }),
    ...(open.tabletAdUrl === undefined ? {} : { tablet_ad_url: open.tabletAdUrl }),
    ...(open.mobileAdKey === undefined ? {} : { mobile_ad_key: open.mobileAdKey }),
    ...(open.mobileAdUrl === undefined ? {} : { mobile_ad_url: open.mobileAdUrl }),
    ...(open.takesPromoCodes === undefined ? {} : { takes_promo_codes: open.takesPromoCodes }),
  };
  if (Object.keys(values).length > 0) await tx.updateTable('organizations').set(values).where('id', '=', id).execute();
  if (taxId !== undefined)
    await tx.updateTable('organization_private').set({ tax_id: taxId }).where('organization_id', '=', id).execute();
}

export async function updateFreeTier(tx: Transaction<Schema>, id: number, freeTier: boolean): Promise<void> {
  await tx.updateTable('organizations').set({ free_tier: freeTier }).where('id', '=', id).execute();
}

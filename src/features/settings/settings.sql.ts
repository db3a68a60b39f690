/** The settings of an organization that members may read and change, and its former paths. */
import { sql } from 'kysely';
import { PRIVATE_FIELDS } from '#src/features/settings/settings.contract.ts';
import type { OpenColumns, PrivateColumns } from '#src/features/settings/settings.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Public columns that members change. */
const OPEN = [
  'name',
  'domain_name',
  'contact_name',
  'contact_email',
  'default_photo_price_cents',
  'primary_color',
  'logo_key',
  'watermark_key',
  'watermark_text',
  'watermark_placement',
  'watermark_strength',
  'home_image_key',
  'tablet_ad_key',
  'tablet_ad_url',
  'mobile_ad_key',
  'mobile_ad_url',
  'time_zone',
  'can_add_custom_payment',
] as const;

/** Runs in the scope of the organization: half of it is under row-level security. */
export async function findSettings(db: Reader, id: number) {
  return db
    .selectFrom('organizations as o')
    .leftJoin('organization_private as p', 'p.organization_id', 'o.id')
    .select(['o.id', 'o.kind', 'o.parent_organization_id', 'o.stripe_pk', 'p.stripe_sk_last4'])
    .select(OPEN.map((column) => `o.${column}` as const))
    .select(PRIVATE_FIELDS.map((field) => `p.${field}` as const))
    .where('o.id', '=', id)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst();
}
export type SettingsRow = NonNullable<Awaited<ReturnType<typeof findSettings>>>;

/** A taken path is a unique violation (23505). */
export async function updateOpen(tx: Writer, id: number, columns: OpenColumns): Promise<void> {
  if (Object.keys(columns).length > 0)
    await tx.updateTable('organizations').set(columns).where('id', '=', id).execute();
}

export async function updatePrivate(tx: Writer, id: number, columns: PrivateColumns): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx
    .insertInto('organization_private')
    .values({ organization_id: id, ...columns })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute();
}

/** The current public columns, locked against other changes. */
export async function lockSettings(tx: Writer, id: number) {
  return tx
    .selectFrom('organizations')
    .select(OPEN)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Stores the path that an affiliate leaves; the new one is no longer a former path of its own. */
export async function insertFormerPath(
  tx: Writer,
  former: { organizationId: number; parentId: number; path: string; newPath: string },
): Promise<void> {
  await tx
    .deleteFrom('organization_former_paths')
    .where('organization_id', '=', former.organizationId)
    .where('domain_name', '=', former.newPath)
    .execute();
  await tx
    .insertInto('organization_former_paths')
    .values({
      parent_organization_id: former.parentId,
      domain_name: former.path,
      organization_id: former.organizationId,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['parent_organization_id', 'domain_name'])
        .doUpdateSet({ organization_id: former.organizationId, left_at: sql<Date>`now()` }),
    )
    .execute();
}

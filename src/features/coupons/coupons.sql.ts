/** Table of this module: coupons, as their seller sees them. Uses are in `coupon-uses.sql.ts`. */
import { sql } from 'kysely';
import type { CouponPlan, CouponRow } from '#src/features/coupons/coupon-editing.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The usual price is read only for a coupon of an amount, to count how many photos it makes free. */
const SELECT = sql`
  select c.id, c.code, c.kind, c.value, c.max_uses as "maxUses", c.max_per_person as "maxPerPerson", c.minimum_cents as "minimumCents",
         c.first_day::text as "firstDay", c.last_day::text as "lastDay", c.gallery_ids as "galleryIds", c.sheet_ids as "sheetIds",
         c.created_at as "createdAt", c.ended_at as "endedAt", o.time_zone as "timeZone",
         u.uses, u.sold_cents as "soldCents", u.saved_cents as "savedCents",
         case when c.kind = 'amount' then (
           select g.price_cents from galleries g
            where g.organization_id = c.organization_id and g.active and g.price_cents > 0
              and (c.gallery_ids is null or g.id = any (c.gallery_ids)) and (c.sheet_ids is null or g.price_sheet_id = any (c.sheet_ids))
            group by g.price_cents order by count(*) desc, g.price_cents limit 1) end as "usualPriceCents"
    from coupons c join organizations o on o.id = c.organization_id
         cross join lateral (
           select count(*)::integer as uses, coalesce(sum(u.sold_cents) filter (where u.state = 'used'), 0)::bigint as sold_cents,
                  coalesce(sum(u.saved_cents) filter (where u.state = 'used'), 0)::bigint as saved_cents
             from coupon_uses u where u.coupon_id = c.id and u.state <> 'released') u`;

/** Newest first, after an id. */
export async function listCoupons(
  db: Reader,
  organizationId: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<CouponRow[]> {
  const { rows } = await sql<CouponRow>`${SELECT}
    where c.organization_id = ${organizationId} and ${after === null ? sql`true` : sql`c.id < ${after}`}
    order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findCoupon(db: Reader, organizationId: number, id: number): Promise<CouponRow | null> {
  const { rows } = await sql<CouponRow>`
    ${SELECT} where c.organization_id = ${organizationId} and c.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The given galleries and sheets that the organization cannot use. */
export async function findForeign(
  db: Reader,
  owner: { id: number; parentOrganizationId: number | null },
  { galleryIds, sheetIds }: Pick<CouponPlan, 'galleryIds' | 'sheetIds'>,
): Promise<{ galleries: boolean; sheets: boolean }> {
  const { rows } = await sql<{ galleries: boolean; sheets: boolean }>`
    select exists (select from unnest(${galleryIds}::bigint[]) as wanted (id)
                    where not exists (select from galleries g where g.id = wanted.id and g.organization_id = ${owner.id} and g.active)) as galleries,
           exists (select from unnest(${sheetIds}::bigint[]) as wanted (id)
                    where not exists (select from price_sheets s where s.id = wanted.id and s.archived_at is null
                                         and (s.organization_id = ${owner.id}
                                              or (s.shared_with_children and s.organization_id = ${owner.parentOrganizationId}::bigint)))) as sheets`.execute(
    db,
  );
  return rows[0] ?? { galleries: true, sheets: true };
}

type Choice = { id: number; name: string };

/** The newest galleries of the organization. */
export async function listGalleries(db: Reader, organizationId: number, limit: number): Promise<Choice[]> {
  const { rows } = await sql<Choice>`
    select id, name from galleries where organization_id = ${organizationId} and active
     order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** The price sheets that its galleries use or could use. */
export async function listSheets(
  db: Reader,
  owner: { id: number; parentOrganizationId: number | null },
  limit: number,
): Promise<Choice[]> {
  const { rows } = await sql<Choice>`
    select id, name from price_sheets
     where archived_at is null
       and (organization_id = ${owner.id} or (shared_with_children and organization_id = ${owner.parentOrganizationId}::bigint))
     order by name, id limit ${limit}`.execute(db);
  return rows;
}

/** Requests that create coupons of one organization wait for each other, so that the limit holds. */
export async function countLive(tx: Writer, organizationId: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('coupons'), ${organizationId % 2_147_483_647}::int)`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from coupons
     where organization_id = ${organizationId} and ended_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

const columnsOf = (plan: CouponPlan) => ({
  kind: plan.kind,
  value: plan.value,
  max_uses: plan.maxUses,
  max_per_person: plan.maxPerPerson,
  minimum_cents: plan.minimumCents,
  first_day: plan.firstDay,
  last_day: plan.lastDay,
  gallery_ids: plan.galleryIds,
  sheet_ids: plan.sheetIds,
});

type Code = { code: string; isMadeUp: boolean };

/** Null when the organization has, or had, this code. */
export async function insertCoupon(
  tx: Writer,
  { organizationId, createdBy, code, isMadeUp }: Code & { organizationId: number; createdBy: number },
  plan: CouponPlan,
): Promise<number | null> {
  const row = await tx
    .insertInto('coupons')
    .values({ organization_id: organizationId, code, is_made_up: isMadeUp, created_by: createdBy, ...columnsOf(plan) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'code']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whether another coupon of the organization has this code. */
export async function hasCode(tx: Writer, organizationId: number, { id, code }: { id: number; code: string }) {
  const row = await tx
    .selectFrom('coupons')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('code', '=', code)
    .where('id', '<>', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** With `code` null the code stays. */
export async function updateCoupon(tx: Writer, id: number, plan: CouponPlan, code: Code | null): Promise<void> {
  await tx
    .updateTable('coupons')
    .set({ ...columnsOf(plan), ...(code ? { code: code.code, is_made_up: code.isMadeUp } : {}) })
    .where('id', '=', id)
    .execute();
}

export async function endCoupon(tx: Writer, id: number, now: Date): Promise<void> {
  await tx.updateTable('coupons').set({ ended_at: now }).where('id', '=', id).execute();
}

/** What the demo reads and writes directly, outside the modules' own use cases, before the server listens. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Schema } from '#src/platform/db/schema.ts';

const DEMO_COMPLETE = 'demo complete';
const DEMO_BEGUN = 'demo begun';

export async function demoIsComplete(db: Kysely<Schema>): Promise<boolean> {
  const row = await db.selectFrom('house_marks').select('name').where('name', '=', DEMO_COMPLETE).executeTakeFirst();
  return row !== undefined;
}

/** Only an empty database gets the demo, or one in which an earlier start began it. */
export async function demoMayBegin(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (select from house_marks where name = ${DEMO_BEGUN})
        or not exists (select from users) and not exists (select from organizations where id <> 1) as may`.execute(db);
  return rows[0]?.may ?? false;
}

export async function markDemo(tx: Transaction<Schema>, state: 'begun' | 'complete'): Promise<void> {
  const name = state === 'begun' ? DEMO_BEGUN : DEMO_COMPLETE;
  await tx
    .insertInto('house_marks')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findOrganization(db: Kysely<Schema>, path: string, parentId: number | null) {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('domain_name', '=', path)
    .where('parent_organization_id', 'is not distinct from', parentId)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function userExists(db: Kysely<Schema>, email: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  return row !== undefined;
}

/** A gallery of the plan with the photos it already has. */
export async function findGallery(db: Kysely<Schema>, organizationId: number, name: string) {
  const gallery = await db
    .selectFrom('galleries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!gallery) return null;
  const photos = await db
    .selectFrom('photos')
    .select(['id', 'name'])
    .where('gallery_id', '=', gallery.id)
    .where('removed_at', 'is', null)
    .execute();
  return { id: gallery.id, photos };
}

export async function countByStatus(db: Kysely<Schema>, photoIds: readonly number[]) {
  const { rows } = await sql<{ ready: number; failed: number }>`
    select count(*) filter (where status = 'ready')::int as ready, count(*) filter (where status = 'failed')::int as failed
      from photos where id = any(${[...photoIds]}::bigint[])`.execute(db);
  return rows[0] ?? { ready: 0, failed: 0 };
}

export async function insertPromoCode(
  tx: Transaction<Schema>,
  promo: { organizationId: number; code: string; maxUses: number },
): Promise<void> {
  await tx
    .insertInto('promo_codes')
    .values({ organization_id: promo.organizationId, code: promo.code, max_uses: promo.maxUses })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The flags of rule 22 (buyers' names, dates and addresses in the platform's report) and rule 52 (examples on the home page). */
export async function setFlag(
  tx: Transaction<Schema>,
  organizationId: number,
  flag: 'reports_buyer_columns' | 'shown_on_home_page',
): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ [flag]: true })
    .where('id', '=', organizationId)
    .execute();
}

export async function markReconciled(tx: Transaction<Schema>, mark: { vanityId: string; at: Date; byEmail: string }) {
  await tx
    .updateTable('orders')
    .set((eb) => ({
      reconciled_at: mark.at,
      reconciled_by: eb.selectFrom('users').select('id').where('email', '=', mark.byEmail),
    }))
    .where('vanity_id', '=', mark.vanityId)
    .execute();
}

/** Oldest first. */
export async function listPayouts(db: Kysely<Schema>): Promise<{ id: number; status: string }[]> {
  return db.selectFrom('payouts').select(['id', 'status']).orderBy('id').execute();
}

/** Sold by then, for money, and not paid out. */
export async function listUnpaidOrders(db: Kysely<Schema>, soldUntil: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o
     where o.status = 'paid' and o.processor = 'platform' and o.total_cents > 0 and o.paid_at < ${soldUntil}
       and not exists (select from payout_lines l where l.order_id = o.id)
     order by o.id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function hasCoupon(db: Kysely<Schema>, organizationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('coupons')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the organization has imported a roster. */
export async function hasRoster(db: Kysely<Schema>, organizationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('roster_imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of a team: number and athlete. */
export type DemoPlayer = { id: number; number: string };
export async function listTeam(db: Kysely<Schema>, organizationId: number, team: string): Promise<DemoPlayer[]> {
  const { rows } = await sql<DemoPlayer>`
    select e.athlete_id as id, e.number from entries e join teams t on t.id = e.team_id
     where e.organization_id = ${organizationId} and t.name = ${team}
       and e.number is not null and e.left_on is null order by e.id`.execute(db);
  return rows;
}

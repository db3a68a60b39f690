/** Which orders count as a family's (`is_order_of_family`). Of order_families, only what members decide is written here. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The newest orders of an address, across all sellers. */
const ORDERS_OF_AN_ADDRESS = 500;

export async function findOwner(db: Reader, athleteId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select organization_id as id from athletes where id = ${athleteId} and merged_into is null`.execute(db);
  return rows[0]?.id ?? null;
}

type FamilyOrder = { id: number; soldAt: Date; totalCents: number; ofFamily: boolean };

/**
 * Orders of the seller that were placed with an opened card or an address of the child, newest first; with `orderId`,
 * only that one.
 */
export async function listOrders(
  db: Reader,
  { athleteId, organizationId, orderId }: { athleteId: number; organizationId: number; orderId?: number },
  limit: number,
): Promise<FamilyOrder[]> {
  const only = orderId === undefined ? sql`` : sql`and o.id = ${orderId}`;
  const { rows } = await sql<FamilyOrder>`
    with recursive same as (
      select ${athleteId}::bigint as id union select a.id from same join athletes a on a.merged_into = same.id),
    meant as (
      select x.order_id from order_families x where x.athlete_id in (select id from same)
      union
      select sold.id from athlete_families f cross join lateral (select sold_orders_of(f.email, ${ORDERS_OF_AN_ADDRESS}::int) as id) sold
       where f.athlete_id = ${athleteId})
    select o.id, o.paid_at as "soldAt", o.total_cents as "totalCents", is_order_of_family(o.id, o.email_address, ${athleteId}) as "ofFamily"
      from orders o
     where o.id in (select order_id from meant) and o.organization_id = ${organizationId} and o.paid_at is not null ${only}
       and (is_order_of_family(o.id, o.email_address, ${athleteId})
            or exists (select from order_families x where x.order_id = o.id and x.athlete_id in (select id from same) and x.refused_at is not null))
     order by o.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Also for every athlete that was merged into the child. */
export async function decideOrder(
  tx: Writer,
  { athleteId, organizationId, orderId }: { athleteId: number; organizationId: number; orderId: number },
  ofFamily: boolean,
): Promise<void> {
  await sql`
    insert into order_families (order_id, athlete_id, organization_id) values (${orderId}, ${athleteId}, ${organizationId})
    on conflict (order_id, athlete_id) do nothing`.execute(tx);
  await sql`
    with recursive same as (
      select ${athleteId}::bigint as id union select a.id from same join athletes a on a.merged_into = same.id)
    update order_families set refused_at = case when ${ofFamily} then null else now() end
     where order_id = ${orderId} and athlete_id in (select id from same)`.execute(tx);
}

/** Orders of one buyer, by the address that they were bought with. */
import { sql } from 'kysely';
import { HOST_LABEL } from '#src/features/orders/receipts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** An order in the email to its buyer. */
export type FoundOrder = Awaited<ReturnType<typeof listOfBuyer>>[number];

/**
 * Orders of this address, ignoring its case, that were paid in the last `months` months, newest first, including refunded
 * ones. Finds them only in the scope of the system.
 */
export function listOfBuyer(db: Reader, email: string, { months, atMost }: { months: number; atMost: number }) {
  return db
    .selectFrom('orders as o')
    .innerJoin('organizations as seller', 'seller.id', 'o.organization_id')
    .leftJoin('organizations as parent', 'parent.id', 'seller.parent_organization_id')
    .select([
      'o.id',
      'o.vanity_id as vanityId',
      'o.status',
      'o.email_address as email',
      'o.total_cents as totalCents',
      'o.created_at as createdAt',
      sql<number>`(select count(*)::int from order_photos line where line.order_id = o.id)`.as('photos'),
      sql<number>`(select count(*)::int from passes where passes.order_id = o.id)`.as('passes'),
      sql<{ name: string; path: string; hostLabel: string; timeZone: string }>`json_build_object(
        'name', seller.name, 'path', seller.domain_name, 'hostLabel', ${HOST_LABEL}, 'timeZone', seller.time_zone)`.as(
        'seller',
      ),
    ])
    .where(sql<boolean>`o.id in (select sold_orders_of(${email}::citext, ${atMost}::int))`)
    .where('o.paid_at', '>', sql<Date>`now() - make_interval(months => ${months}::int)`)
    .orderBy('o.paid_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(atMost)
    .execute();
}

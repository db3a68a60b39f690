/** Orders of one buyer, by the address they were bought with. */
import { sql } from 'kysely';
import type { FoundOrder } from '#src/features/find-my-order/found-order.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** Those that were paid within so many months, newest first; refunded ones too. Capitals do not count. */
export async function listOfBuyer(
  db: Reader,
  email: string,
  { months, atMost }: { months: number; atMost: number },
): Promise<FoundOrder[]> {
  const rows = await db
    .selectFrom('orders as o')
    .innerJoin('organizations as seller', 'seller.id', 'o.organization_id')
    .leftJoin('organizations as parent', 'parent.id', 'seller.parent_organization_id')
    .select([
      'o.id',
      'o.vanity_id',
      'o.status',
      'o.email_address',
      'o.total_cents',
      'o.created_at',
      'seller.name as seller_name',
      'seller.domain_name as seller_domain',
      sql<string>`case when coalesce(parent.deleted_at, case when parent.id is null then seller.deleted_at end) is not null then 'www'
                       else coalesce(parent.domain_name, seller.domain_name)::text end`.as('host_label'),
      sql<number>`(select count(*)::int from order_photos line where line.order_id = o.id)`.as('photos'),
    ])
    .where('o.email_address', '=', email)
    .where('o.status', 'in', ['paid', 'partially_refunded', 'refunded', 'disputed'])
    .where('o.paid_at', '>', sql<Date>`now() - make_interval(months => ${months}::int)`)
    .orderBy('o.paid_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(atMost)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    vanityId: row.vanity_id,
    status: row.status,
    email: row.email_address,
    totalCents: row.total_cents,
    createdAt: row.created_at,
    photos: row.photos,
    seller: {
      name: row.seller_name,
      path: row.seller_domain,
      hostLabel: row.host_label,
    },
  }));
}

/** Reads tables of other rooms, as only this room may; writes none. */
import { sql } from 'kysely';
import type { BookedSales } from '#src/features/reports/reports.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { cents } from '#src/shared/money.ts';

type Row = {
  id: number;
  name: string;
  domain_name: string;
  orders: number;
  photos: number;
  sales: number;
  donations: number;
  tax: number;
  refunds: number;
  share: number;
  net: number;
};

export type SalesFilter = {
  organizationId: number;
  /** Whole days of this time zone. */
  timeZone: string;
  /** How far back from today, as PostgreSQL writes a length of time; null: from the beginning. */
  length: string | null;
};

export type SellerSales = { id: number; name: string; path: string; booked: BookedSales };

/**
 * Sales of an organisation and of those below it, where there are any: what buyers paid from their orders, what became of it
 * from the books. Money that went straight to a seller's own card account is in no payable: what the provider kept of it
 * stands on the charge. The books know no tenant, so the caller must have asked whose sales may be seen, and give the
 * system's scope.
 */
export async function listSales(db: Reader, filter: SalesFilter): Promise<SellerSales[]> {
  const { rows } = await sql<Row>`
    with sold as (
      select o.id, o.organization_id, o.processor, o.subtotal_cents, o.donation_cents, o.tax_cents, o.refunded_cents, o.total_cents
        from orders o
        join organizations seller on seller.id = o.organization_id
       where (seller.id = ${filter.organizationId} or seller.parent_organization_id = ${filter.organizationId})
         and o.status in ('paid', 'partially_refunded', 'refunded', 'disputed')
         and (${filter.length}::interval is null
              or o.paid_at >= (date_trunc('day', now() at time zone ${filter.timeZone}) - ${filter.length}::interval) at time zone ${filter.timeZone})
    ), lines as (
      select s.organization_id, count(*) as photos
        from order_photos line join sold s on s.id = line.order_id
       group by s.organization_id
    ), booked as (
      select s.organization_id,
             coalesce(-sum(e.amount_cents) filter (where a.kind = 'platform_fee'), 0) as share,
             coalesce(-sum(e.amount_cents) filter (where a.kind = 'platform_fee' and s.processor = 'custom'), 0) as own_share,
             coalesce(-sum(e.amount_cents) filter (where a.kind = 'org_payable'), 0) as net
        from ledger_entries e
        join sold s on s.id = e.order_id
        join ledger_accounts a on a.id = e.account_id
       group by s.organization_id
    ), own as (
      select s.organization_id, sum(s.total_cents - s.refunded_cents - s.tax_cents - coalesce(charge.fee_cents, 0)) as net
        from sold s
        left join payment_attempts charge on charge.order_id = s.id and charge.kind = 'charge' and charge.state = 'succeeded'
       where s.processor = 'custom'
       group by s.organization_id
    )
    select seller.id, seller.name, seller.domain_name, count(*)::int as orders,
           coalesce(max(l.photos), 0)::int as photos,
           sum(s.subtotal_cents)::bigint as sales, sum(s.donation_cents)::bigint as donations,
           sum(s.tax_cents)::bigint as tax, sum(s.refunded_cents)::bigint as refunds,
           coalesce(max(b.share), 0)::bigint as share,
           (coalesce(max(b.net), 0) + coalesce(max(own.net), 0) - coalesce(max(b.own_share), 0))::bigint as net
      from sold s
      join organizations seller on seller.id = s.organization_id
      left join lines l on l.organization_id = seller.id
      left join booked b on b.organization_id = seller.id
      left join own on own.organization_id = seller.id
     group by seller.id, seller.name, seller.domain_name
     order by seller.name, seller.id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    path: row.domain_name,
    booked: {
      orders: row.orders,
      photos: row.photos,
      salesCents: cents(row.sales),
      donationsCents: cents(row.donations),
      taxCents: cents(row.tax),
      refundsCents: cents(row.refunds),
      shareCents: cents(row.share),
      netCents: cents(row.net),
    },
  }));
}

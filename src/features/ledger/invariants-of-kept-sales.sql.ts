/**
 * Invariants of the stored sums of sales (decision record 0065), of open balances (0119) and of balances by day (0120),
 * for `invariants.sql.ts`. They are computed again from orders and ledger, in other queries than those that wrote them.
 */
import { sql } from 'kysely';
import type { Invariant } from '#src/features/ledger/invariant.sql.ts';

const AMOUNTS = sql`array[sold, kept, photos, sales, donations, tax, refunds, fees, share, disputed, subtotal, donation, taxed, saved, reduced, credit_used, credit_sold]`;

export const KEPT_SALES: Invariant[] = [
  {
    name: 'kept sales',
    rule: 'the sums of a seller’s day are those of its orders, unless a note says that they are to be computed again',
    broken: sql`
      with facts as (
        select o.id, o.organization_id, (o.paid_at at time zone s.time_zone)::date as day, o.reconciled_at is not null as reconciled, o.processor,
               o.subtotal_cents::bigint as subtotal, o.donation_cents::bigint as donation, o.tax_cents::bigint as taxed, o.total_cents as total, o.credit_cents as credit, o.credit_cents - o.credit_returned_cents as credit_used,
               o.refunded_cents as refunds, case when o.total_cents > 0 and o.refunded_cents = o.total_cents then 0 else 1 end as kept,
               case when o.total_cents = 0 then 0 else div(o.tax_cents::numeric * o.refunded_cents, o.total_cents) end as tax_back
          from orders o join organizations s on s.id = o.organization_id
         where o.kind = 'photos' and o.paid_at is not null and o.status not in ('pending', 'failed')
      ), lines as (
        select order_id, count(*) as photos from order_photos group by order_id
      ), offers as (
        select f.order_id, f.price_cents, sum(l.single_cents) as singles
          from order_offers f left join order_photos l on l.order_offer_id = f.id and l.order_id = f.order_id group by f.order_id, f.id, f.price_cents
      ), savings as (
        select order_id, sum(case when singles > price_cents then singles - price_cents else 0 end) as saved from offers group by order_id
      ), taken_off as (
        -- Photos outside of offers at their single prices, and what the offers cost, less what was paid for all of it.
        select q.order_id, coalesce((select sum(l.single_cents) from order_photos l where l.order_id = q.order_id and l.order_offer_id is null), 0)
               + coalesce((select sum(f.price_cents) from order_offers f where f.order_id = q.order_id), 0)
               - (select o.subtotal_cents from orders o where o.id = q.order_id) as cents
          from order_prices q
      ), sold_credit as (
        select o.organization_id, (o.paid_at at time zone s.time_zone)::date as day, o.reconciled_at is not null as reconciled,
               sum(o.total_cents - o.refunded_cents) as cents
          from orders o join organizations s on s.id = o.organization_id
         where o.kind = 'credit' and o.paid_at is not null and o.status not in ('pending', 'failed') group by 1, 2, 3
      ), charges as (
        select order_id, sum(fee_cents) as fee from payment_attempts where kind = 'charge' and state = 'succeeded' group by order_id
      ), booked as (
        select e.order_id, -sum(case when a.kind = 'platform_fee' then e.amount_cents else 0 end) as share,
               sum(case when a.kind = 'provider_clearing' and a.organization_id is null and t.source_type = 'order' then e.amount_cents else 0 end) as taken,
               sum(case when a.kind = 'org_payable' and t.source_type = 'dispute' then e.amount_cents else 0 end) as disputed
          from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_txs t on t.id = e.tx_id
         where e.order_id is not null group by e.order_id
      ), backs as (
        select f.*, coalesce(case when f.subtotal + f.donation > 0 then div(f.subtotal * (f.refunds - f.tax_back), f.subtotal + f.donation) end, 0) as lines_back
          from facts f
      ), made as (
        select b.organization_id, b.day, b.reconciled, count(*) as sold, sum(b.kept) as kept, coalesce(sum(l.photos * b.kept), 0) as photos,
               sum(b.subtotal - b.lines_back) as sales, sum(b.donation - (b.refunds - b.tax_back - b.lines_back)) as donations,
               sum(b.taxed - b.tax_back) as tax, sum(b.refunds) as refunds,
               sum(case when b.processor = 'custom' then coalesce(c.fee, 0) when k.order_id is null then 0 else b.total - b.credit - k.taken end) as fees,
               coalesce(sum(k.share), 0) as share, coalesce(sum(k.disputed), 0) as disputed, sum(b.subtotal) as subtotal, sum(b.donation) as donation,
               sum(b.taxed) as taxed, coalesce(sum(v.saved * b.kept), 0) as saved,
               coalesce(sum(f.cents * b.kept), 0) as reduced, sum(b.credit_used) as credit_used
          from backs b
          left join savings v on v.order_id = b.id left join taken_off f on f.order_id = b.id
          left join lines l on l.order_id = b.id left join charges c on c.order_id = b.id left join booked k on k.order_id = b.id
         group by b.organization_id, b.day, b.reconciled
      ), made_with_credit as (
        select organization_id, day, reconciled, coalesce(sold, 0) as sold, coalesce(kept, 0) as kept, coalesce(photos, 0) as photos, coalesce(sales, 0) as sales,
               coalesce(donations, 0) as donations, coalesce(tax, 0) as tax, coalesce(refunds, 0) as refunds, coalesce(fees, 0) as fees, coalesce(share, 0) as share,
               coalesce(disputed, 0) as disputed, coalesce(subtotal, 0) as subtotal, coalesce(donation, 0) as donation, coalesce(taxed, 0) as taxed,
               coalesce(saved, 0) as saved, coalesce(reduced, 0) as reduced, coalesce(credit_used, 0) as credit_used, coalesce(c.cents, 0) as credit_sold
          from made full join sold_credit c using (organization_id, day, reconciled)
      ), both_sides as (
        select organization_id, day, d.sums as kept, m.sums as made
          from (select organization_id, day, reconciled, array[sold_count, order_count, photo_count, sales_cents, donations_cents, tax_cents, refunds_cents,
                       fees_cents, share_cents, disputed_cents, charged_subtotal_cents, charged_donation_cents, charged_tax_cents,
                       offers_saved_cents, reductions_cents, credit_used_cents, credit_sold_cents]::numeric[] as sums
                  from sales_days) d
          full join (select organization_id, day, reconciled, ${AMOUNTS}::numeric[] as sums from made_with_credit) m using (organization_id, day, reconciled)
      ), noted as (
        select distinct c.organization_id, case when c.paid_at < 'infinity' then (c.paid_at at time zone s.time_zone)::date end as day
          from sales_changes c join organizations s on s.id = c.organization_id
      )
      select 'organization ' || b.organization_id || ' on ' || b.day || ' keeps ' || coalesce(b.kept::text, 'nothing') || ' and its orders make '
             || coalesce(b.made::text, 'nothing') as detail
        from both_sides b
        left join noted day on day.organization_id = b.organization_id and day.day = b.day
        left join noted whole on whole.organization_id = b.organization_id and whole.day is null
       where b.kept is distinct from b.made and day.organization_id is null and whole.organization_id is null`,
  },
  {
    name: 'kept parts',
    rule: 'the parts of a day are its sums, and those of a gallery what it counts, unless a note says that they are to be computed again',
    broken: sql`
      with noted as (
        select distinct organization_id from sales_changes
      ), days as (
        select organization_id, day, array[sum(order_count), sum(photo_count), sum(sales_cents), sum(donations_cents), sum(tax_cents), sum(refunds_cents), sum(fees_cents),
                 sum(share_cents), sum(disputed_cents), sum(sales_cents + donations_cents - fees_cents - share_cents - disputed_cents),
                 sum(offers_saved_cents), sum(reductions_cents), sum(credit_used_cents), sum(credit_sold_cents)]::numeric[] as sums
          from sales_days group by 1, 2
      ), wholes as (
        select organization_id, day, array[order_count, photo_count, sales_cents, donations_cents, tax_cents, refunds_cents, fees_cents, share_cents, disputed_cents,
                 net_cents, offers_saved_cents, reductions_cents, credit_used_cents, credit_sold_cents]::numeric[] as sums
          from sales_parts where gallery_id = 0 and coupon_id = 0
      ), galleries_sold as (
        select gallery_id, sum(photo_count) as photos, sum(sales_cents) as sales, sum(donations_cents) as donations from sales_parts where gallery_id > 0 group by 1
      )
      select 'organization ' || organization_id || ' on ' || day || ' keeps ' || coalesce(d.sums::text, 'nothing') || ' and parts of ' || coalesce(w.sums::text, 'nothing') as detail
        from days d full join wholes w using (organization_id, day) left join noted n using (organization_id)
       where d.sums is distinct from w.sums and n is null
      union all
      select 'gallery ' || g.id || ' counts ' || g.photos_sold || ' photos for ' || g.sales_cents || ' and donations of ' || g.donations_cents || ', and its parts '
             || coalesce(s.photos, 0) || ' for ' || coalesce(s.sales, 0) || ' and ' || coalesce(s.donations, 0)
        from galleries g left join galleries_sold s on s.gallery_id = g.id left join noted n on n.organization_id = g.organization_id
       where n is null and (g.photos_sold, g.sales_cents, g.donations_cents) is distinct from (coalesce(s.photos, 0), coalesce(s.sales, 0), coalesce(s.donations, 0))`,
  },
  {
    name: 'open balances',
    rule: 'what is open of an order is the sum of its entries, and of our share of sales over an own account all of it together',
    broken: sql`
      with booked as (
        select a.id, a.kind, case when a.kind = 'org_payable' then coalesce(e.order_id, 0) end as order_id, sum(e.amount_cents) as cents
          from ledger_entries e join ledger_accounts a on a.id = e.account_id
         where a.organization_id > 0 and a.kind in ('org_payable', 'provider_clearing') group by 1, 2, 3
      ), open as (
        select b.account_id as id, case when a.kind = 'org_payable' then b.order_id end as order_id, sum(b.amount_cents) as cents, bool_or(b.amount_cents = 0) as is_over
          from open_balances b left join ledger_accounts a on a.id = b.account_id group by 1, 2
      )
      select 'account ' || coalesce(b.id, o.id) || coalesce(' has for order ' || coalesce(b.order_id, o.order_id), ' has') || ' '
             || coalesce(o.cents::text, 'nothing') || ' open, and entries of ' || coalesce(b.cents, 0) as detail
        from booked b full join open o on o.id = b.id and coalesce(o.order_id, -1) = coalesce(b.order_id, -1)
       where coalesce(o.cents, 0) <> coalesce(b.cents, 0) or o.is_over`,
  },
  {
    name: 'account days',
    rule: 'what stood in an account at the end of a day is the sum of all that was posted before, and its bounds leave none out',
    broken: sql`
      with posted as (
        select e.account_id, (date_trunc('day', t.posted_at at time zone 'UTC') + interval '1 day') at time zone 'UTC' as until, sum(e.amount_cents) as cents,
               sum(case when t.kind = 'settlement' or t.kind like 'payout\\_%' then e.amount_cents else 0 end) as paid_out, min(e.tx_id) as first_tx, max(e.tx_id) as last_tx
          from ledger_entries e join ledger_txs t on t.id = e.tx_id join ledger_accounts a on a.id = e.account_id and a.organization_id > 0 group by 1, 2
      ), kept as (
        select * from posted full join (select * from account_days) d using (account_id, until)
      ), run as (
        select account_id, until, balance_cents, paid_out_cents, upto_tx, after_tx, sum(cents) over w as cents, sum(paid_out) over w as paid_out, max(last_tx) over w as last_tx,
               min(first_tx) over (partition by account_id order by until rows between 1 following and unbounded following) as next_tx
          from kept window w as (partition by account_id order by until)
      )
      select 'account ' || account_id || ' keeps ' || balance_cents || ' and ' || paid_out_cents || ' by ' || until || ', after postings of ' || coalesce(cents, 0) || ' and '
             || coalesce(paid_out, 0) || ', between ' || upto_tx || ' and ' || after_tx || ' for ' || coalesce(last_tx, 0) || ' and ' || coalesce(next_tx, 0) as detail
        from run
       where balance_cents is not null and (balance_cents, paid_out_cents) is distinct from (coalesce(cents, 0), coalesce(paid_out, 0))
          or upto_tx < last_tx or after_tx >= next_tx`,
  },
];

/** Invariants of passes and of coupon uses, for `invariants.sql.ts`. */
import { sql } from 'kysely';
import type { Invariant } from '#src/features/ledger/invariant.sql.ts';

export const OFFERS: Invariant[] = [
  {
    name: 'coupon uses',
    rule: 'no coupon is used more often than its limit, a use goes the way of its order, and the order says which coupon made it cheaper',
    broken: sql`
      select 'coupon ' || c.id || ' of ' || c.max_uses || ' uses has ' || count(*) as detail
        from coupons c join coupon_uses u on u.coupon_id = c.id and u.state <> 'released'
       group by c.id having count(*) > c.max_uses
      union all
      select 'order ' || o.id || ' (' || o.status || ') has a use that is ' || u.state
        from coupon_uses u join orders o on o.id = u.order_id
       where u.state <> case o.status when 'pending' then 'reserved' when 'failed' then 'released' else 'used' end
      union all
      select 'order ' || coalesce(r.order_id, u.order_id) || ' was made cheaper by coupon ' || coalesce(r.coupon_id::text, 'none') || ' and uses ' || coalesce(u.coupon_id::text, 'none')
        from coupon_uses u full join (select * from order_reductions where coupon_id is not null) r on r.order_id = u.order_id
       where u.coupon_id is distinct from r.coupon_id`,
  },
  {
    name: 'allowances',
    rule: 'what is used of an allowance is what its orders use, and a use goes the way of its order',
    broken: sql`
      select 'allowance ' || a.id || ' says ' || a.used || ' used and its orders ' || coalesce(sum(u.photos), 0) as detail
        from allowances a left join allowance_uses u on u.allowance_id = a.id and u.state <> 'released'
       group by a.id having a.used <> coalesce(sum(u.photos), 0)
      union all
      select 'order ' || o.id || ' (' || o.status || ') has an allowance that is ' || u.state
        from allowance_uses u join orders o on o.id = u.order_id
       where u.state <> case o.status when 'pending' then 'reserved' when 'failed' then 'released' else 'used' end`,
  },
  {
    name: 'passes',
    rule: 'what was paid for a pass is the sum of its galleries',
    broken: sql`
      select 'pass ' || p.id || ' cost ' || p.price_cents || ' and its galleries ' || coalesce(sum(g.price_cents), 0) as detail
        from passes p left join pass_galleries g on g.pass_id = p.id
       group by p.id having coalesce(sum(g.price_cents), 0) <> p.price_cents`,
  },
];

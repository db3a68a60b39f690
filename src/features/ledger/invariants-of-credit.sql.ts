/** Invariants of prepaid credit, for `invariants.sql.ts`. */
import { sql } from 'kysely';
import type { Invariant } from '#src/features/ledger/invariant.sql.ts';

export const CREDIT: Invariant[] = [
  {
    name: 'credit balances',
    rule: 'what the books owe for the credit of a seller is the sum of its codes, and no code has a negative balance',
    broken: sql`
      with codes as (
        select c.id, c.organization_id, c.processor, coalesce(sum(m.cents), 0) as cents, coalesce(sum(m.bonus_cents), 0) as bonus
          from credit_codes c left join credit_movements m on m.code_id = c.id group by c.id
      ), owed as (
        select a.organization_id, -sum(e.amount_cents) as cents from ledger_accounts a join ledger_entries e on e.account_id = a.id
         where a.kind = 'credit_liability' group by a.organization_id
      ), held as (
        select organization_id, sum(cents) as cents from codes where processor = 'platform' group by organization_id
      )
      select 'organization ' || organization_id || ' owes credit of ' || coalesce(o.cents, 0) || ' and its codes have ' || coalesce(h.cents, 0) as detail
        from owed o full join held h using (organization_id) where coalesce(o.cents, 0) <> coalesce(h.cents, 0)
      union all
      select 'credit code ' || id || ' has ' || cents || ' and a bonus of ' || bonus from codes where cents < 0 or bonus < 0`,
  },
  {
    name: 'credit orders',
    rule: 'an order of credit has one code, which has its money once the order was paid',
    broken: sql`
      select 'order ' || o.id || ' (' || o.status || ') of ' || o.subtotal_cents || ' has ' || count(distinct c.id) || ' codes, with ' || coalesce(sum(m.cents), 0) as detail
        from orders o left join credit_codes c on c.order_id = o.id left join credit_movements m on m.code_id = c.id and m.kind = 'sold'
       where o.kind = 'credit'
       group by o.id, o.organization_id, o.status, o.subtotal_cents
      having count(distinct c.id) <> 1 or coalesce(sum(m.cents), 0) <> (o.status not in ('pending', 'failed'))::integer * o.subtotal_cents
      union all
      select 'credit code ' || c.id || ' belongs to no order of credit' from credit_codes c
       where not exists (select from orders o where o.id = c.order_id and o.kind = 'credit')`,
  },
  {
    name: 'credit uses',
    rule: 'an order uses the credit that it states, its uses follow its status, and its returns match the movements',
    broken: sql`
      with uses as (
        select order_id, sum(cents) as cents, sum(bonus_cents) as bonus from credit_uses group by order_id
      ), moves as (
        select order_id, -coalesce(sum(cents) filter (where kind = 'spent'), 0) as spent, -coalesce(sum(bonus_cents) filter (where kind = 'spent'), 0) as bonus,
               coalesce(sum(cents) filter (where kind = 'returned'), 0) as returned
          from credit_movements group by order_id
      )
      select 'order ' || o.id || ' (' || o.status || ') takes ' || o.credit_cents || ' and ' || o.bonus_cents || ' of credit, its uses ' || coalesce(u.cents, 0) || ' and '
             || coalesce(u.bonus, 0) || ', its movements ' || coalesce(m.spent, 0) || ' and ' || coalesce(m.bonus, 0) || ', and had ' || o.credit_returned_cents
             || ' back, its movements ' || coalesce(m.returned, 0) as detail
        from orders o left join uses u on u.order_id = o.id left join moves m on m.order_id = o.id
       where o.kind = 'photos' and (o.credit_cents > 0 or o.bonus_cents > 0 or u.order_id is not null or m.order_id is not null)
         and (o.credit_cents <> coalesce(u.cents, 0) or o.bonus_cents <> coalesce(u.bonus, 0) or o.credit_returned_cents <> coalesce(m.returned, 0)
           or coalesce(m.spent, 0) <> (o.status not in ('pending', 'failed'))::integer * o.credit_cents
           or coalesce(m.bonus, 0) <> (o.status not in ('pending', 'failed'))::integer * o.bonus_cents
           or o.credit_returned_cents > least(o.credit_cents, o.refunded_cents))
      union all
      select 'order ' || o.id || ' (' || o.status || ') has a use of credit that is ' || u.state
        from credit_uses u join orders o on o.id = u.order_id
       where u.state <> case o.status when 'pending' then 'reserved' when 'failed' then 'released' else 'used' end`,
  },
  {
    name: 'credit disputes',
    rule: 'disputes took from a code at most what was lost',
    broken: sql`
      select 'credit code ' || m.code_id || ' lost ' || -sum(m.cents) || ' by disputes, of which the bank took ' || coalesce(max(d.lost), 0) as detail
        from credit_movements m join credit_codes c on c.id = m.code_id
        left join lateral (
          select sum(d.amount_cents) as lost from payment_disputes d where d.order_id = c.order_id and d.status = 'lost'
        ) d on true
       where m.kind = 'disputed'
       group by m.code_id having -sum(m.cents) > coalesce(max(d.lost), 0)`,
  },
];

/** What is due to organizations and what is held, grouped by the database: reads the books, orders and payouts together. */
import { sql, type RawBuilder } from 'kysely';
import type { Debtor, OpenAccount } from '#src/features/payouts/ready-list.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** `open`: every order for which the books owe anything, and why it is due or not; `judged` in the words of payouts.rules.ts. */
function judgedOrders(paidUntil: Date, organizationIds: readonly number[] | null): RawBuilder<unknown> {
  const own =
    organizationIds === null ? sql`` : sql`and account.organization_id = any (${[...organizationIds]}::bigint[])`;
  return sql`
    owed as (
      select account.organization_id, entry.order_id, -sum(entry.amount_cents)::bigint as cents
        from ledger_accounts account join ledger_entries entry on entry.account_id = account.id
       where account.kind = 'org_payable' and entry.order_id is not null ${own}
       group by account.organization_id, entry.order_id having sum(entry.amount_cents) <> 0
    ), judged as (
      select owed.organization_id, owed.order_id, owed.cents, o.paid_at,
             case when owed.cents < 0 or line.order_id is not null then 'carry'
                  when exists (select from payment_disputes d where d.order_id = o.id and d.status = 'open') then 'disputed'
                  when o.paid_at > ${paidUntil} then 'too_new'
                  else 'due' end as kind
        from owed join orders o on o.id = owed.order_id
        left join payout_lines line on line.order_id = owed.order_id and line.kind = 'sale' and line.live
    )`;
}

/** One row per organization with anything open, the largest sum due first. */
export async function listReview(
  db: Reader,
  search: { paidUntil: Date; organizationIds: readonly number[] | null },
): Promise<OpenAccount[]> {
  const { rows } = await sql<OpenAccount>`
    with ${judgedOrders(search.paidUntil, search.organizationIds)}, sums as (
      select organization_id,
             coalesce(sum(cents) filter (where kind = 'due'), 0)::bigint as due,
             count(*) filter (where kind = 'due')::integer as due_orders,
             min(paid_at) filter (where kind = 'due') as due_from, max(paid_at) filter (where kind = 'due') as due_to,
             coalesce(sum(cents) filter (where kind = 'carry'), 0)::bigint as carry,
             coalesce(sum(cents) filter (where kind = 'too_new'), 0)::bigint as too_new,
             count(*) filter (where kind = 'too_new')::integer as too_new_orders,
             min(paid_at) filter (where kind = 'too_new') as too_new_from,
             coalesce(sum(cents) filter (where kind = 'disputed'), 0)::bigint as disputed,
             count(*) filter (where kind = 'disputed')::integer as disputed_orders
        from judged group by organization_id
    )
    select s.organization_id as "organizationId", o.name, o.domain_name as path, coalesce(parent.domain_name, o.domain_name) as "hostLabel",
           s.due, s.due_orders as "dueOrders", s.due_from as "dueFrom", s.due_to as "dueTo", s.carry,
           s.too_new as "tooNew", s.too_new_orders as "tooNewOrders", s.too_new_from as "tooNewFrom",
           s.disputed, s.disputed_orders as "disputedOrders"
      from sums s join organizations o on o.id = s.organization_id
      left join organizations parent on parent.id = o.parent_organization_id
     order by s.due + s.carry desc, s.organization_id`.execute(db);
  return rows;
}

/** What organizations owe us: our share of sales over their own accounts, and payables that are below nothing. */
export async function listDebtors(db: Reader, limit: number): Promise<Debtor[]> {
  const { rows } = await sql<Debtor>`
    select o.id as "organizationId", o.name, sum(d.cents)::bigint as "owesCents"
      from (select a.organization_id, sum(e.amount_cents) as cents
              from ledger_accounts a join ledger_entries e on e.account_id = a.id
             where a.kind in ('provider_clearing', 'org_payable') and a.organization_id is not null
             group by a.id having sum(e.amount_cents) > 0) d
      join organizations o on o.id = d.organization_id
     group by o.id order by 3 desc, o.id limit ${limit}`.execute(db);
  return rows;
}

/** Organizations that sell over accounts of their own: their sales never come to the platform. */
export type OwnAccountRow = { organizationId: number; name: string; orders: number };

export async function listOwnAccounts(db: Reader, limit: number): Promise<OwnAccountRow[]> {
  const { rows } = await sql<OwnAccountRow>`
    select o.id as "organizationId", o.name, sold.orders
      from (select organization_id, count(*)::integer as orders from orders where processor = 'custom' and paid_at is not null
             group by organization_id order by 2 desc limit ${limit}) sold
      join organizations o on o.id = sold.organization_id
     order by sold.orders desc, o.id`.execute(db);
  return rows;
}

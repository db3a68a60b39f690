/** Whose account moved in a month, for the emails that tell of it. Reads other modules' tables, writes none. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export type MovedAccount = {
  id: number;
  name: string;
  path: string;
  hostLabel: string;
  accent: string;
  /** Billing address, else contact; null: no one to write to. */
  email: string | null;
  openingCents: number;
  earnedCents: number;
  paidOutCents: number;
};

/**
 * Organizations by number, after one, whose account moved in the month, with their parents (and what moved below these); at most
 * `limit`. Only of months that are over where the organization is.
 */
export async function listMoved(
  db: Reader,
  month: string,
  { after, now, limit }: { after: number; now: Date; limit: number },
): Promise<MovedAccount[]> {
  const firstDay = sql`(${month} || '-01')::date`;
  const { rows } = await sql<MovedAccount>`
    with holders as (
      select distinct a.organization_id as id
        from ledger_txs t join ledger_entries e on e.tx_id = t.id join ledger_accounts a on a.id = e.account_id
       where t.posted_at >= ${firstDay}::timestamp at time zone 'UTC' - interval '1 day'
         and t.posted_at < (${firstDay} + interval '1 month') at time zone 'UTC' + interval '1 day'
         and a.organization_id is not null
    ), subjects as (
      select o.id from organizations o
       where o.id > ${after} and o.deleted_at is null and o.kind <> 'root'
         and o.id in (select h.id from holders h union select child.parent_organization_id from holders h join organizations child on child.id = h.id)
    ), spans as (
      select s.id, statement_month_start(s.id, ${firstDay}) as since, statement_month_start(s.id, (${firstDay} + interval '1 month')::date) as until
        from subjects s
    ), moved as (
      select s.id, sum(-e.amount_cents) filter (where a.kind = 'org_payable' and t.posted_at < s.since) as opening,
             sum(-e.amount_cents) filter (where a.kind = 'org_payable' and t.posted_at >= s.since and t.kind not like 'payout\\_%') as earned,
             sum(-e.amount_cents) filter (where a.kind = 'org_payable' and t.posted_at >= s.since and t.kind like 'payout\\_%') as paid_out
        from spans s
        join organizations holder on holder.id = s.id or holder.parent_organization_id = s.id
        join ledger_accounts a on a.organization_id = holder.id
        join ledger_entries e on e.account_id = a.id
        join ledger_txs t on t.id = e.tx_id and t.posted_at < s.until
       where s.until <= ${now}
       group by s.id having bool_or(t.posted_at >= s.since)
       order by s.id limit ${limit}
    )
    select o.id, o.name, o.domain_name as path, coalesce(parent.domain_name, o.domain_name) as "hostLabel", o.primary_color as accent,
           coalesce(nullif(private.billing_email, ''), nullif(o.contact_email, '')) as email, coalesce(m.opening, 0)::bigint as "openingCents",
           coalesce(m.earned, 0)::bigint as "earnedCents", coalesce(m.paid_out, 0)::bigint as "paidOutCents"
      from moved m join organizations o on o.id = m.id
      left join organizations parent on parent.id = o.parent_organization_id
      left join organization_private private on private.organization_id = o.id
     order by m.id`.execute(db);
  return rows;
}

/** What reports say of every organization beside what the books say (money M13, comparison R7). One statement over all orders. */
import { sql } from 'kysely';
import { MONEY, RAW_COLUMNS, SOLD, WAS_SOLD } from '#src/features/reports/sold-parts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

export type ReportDifference = {
  organizationId: number;
  what: 'net' | 'tax';
  reportCents: number;
  ledgerCents: number;
};

/**
 * Where the sum of an organization's reports is not the balance of its payable (payouts left aside), or the tax not that of the
 * books. Sales over the seller's own card account are the seller's, and in neither.
 */
export async function listReportDifferences(db: Reader, limit: number): Promise<ReportDifference[]> {
  // After a busy day the planner takes these tables for small.
  await sql`set local enable_nestloop = off`.execute(db);
  const { rows } = await sql<ReportDifference>`
    with raw_orders as (select ${RAW_COLUMNS} from orders o where ${WAS_SOLD} and o.processor = 'platform'), ${SOLD}, ${MONEY}, reported as (
      select organization_id, sum(gross - back - fees - share - disputed) as net, sum(tax) as tax from money group by organization_id
    ), owed as (
      select o.organization_id, coalesce(-sum(e.amount_cents) filter (where a.kind = 'org_payable'), 0) as net,
             coalesce(-sum(e.amount_cents) filter (where a.kind = 'tax_payable'), 0) as tax
        from ledger_entries e
        join ledger_accounts a on a.id = e.account_id and a.kind in ('org_payable', 'tax_payable')
        join ledger_txs t on t.id = e.tx_id and t.source_type in ('order', 'refund', 'dispute')
        join orders o on o.id = e.order_id and o.processor = 'platform'
       group by o.organization_id
    ), both_sides as (
      select organization_id, coalesce(r.net, 0) as report_net, coalesce(b.net, 0) as ledger_net, coalesce(r.tax, 0) as report_tax, coalesce(b.tax, 0) as ledger_tax
        from reported r full join owed b using (organization_id)
    )
    select organization_id as "organizationId", 'net' as what, report_net::bigint as "reportCents", ledger_net::bigint as "ledgerCents"
      from both_sides where report_net <> ledger_net
    union all
    select organization_id, 'tax', report_tax::bigint, ledger_tax::bigint from both_sides where report_tax <> ledger_tax
     order by 1, 2 limit ${limit}`.execute(db);
  return rows;
}

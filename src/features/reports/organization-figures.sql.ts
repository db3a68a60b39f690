/** Reads tables of other modules, as only this module may: what the office's list says of each organization. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

/** `galleries` and `orders` are counted up to a little over a thousand; `owedCents` as the books have it. */
export type OrganizationFigures = { id: number; galleries: number; orders: number; owedCents: number };

export async function listFigures(
  db: Reader,
  ids: readonly number[],
  countedUpTo: number,
): Promise<OrganizationFigures[]> {
  const { rows } = await sql<OrganizationFigures>`
    select wanted.id,
           (select count(*) from (select from galleries where organization_id = wanted.id and active limit ${countedUpTo}) g)::integer as galleries,
           (select count(*) from (select from orders where organization_id = wanted.id and paid_at is not null limit ${countedUpTo}) o)::integer as orders,
           coalesce((select -sum(e.amount_cents) from ledger_accounts a join ledger_entries e on e.account_id = a.id
                      where a.organization_id = wanted.id and a.kind = 'org_payable'), 0)::bigint as "owedCents"
      from unnest(${[...ids]}::bigint[]) as wanted(id)`.execute(db);
  return rows.map((row) => ({ ...row, id: Number(row.id), owedCents: Number(row.owedCents) }));
}

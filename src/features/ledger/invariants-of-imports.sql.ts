/** Invariants of imports from files (invariants I1-I13), for `invariants.sql.ts`. */
import { sql } from 'kysely';
import type { Invariant } from '#src/features/ledger/invariant.sql.ts';

export const IMPORTS: Invariant[] = [
  {
    name: 'I12',
    rule: 'a row of an import that made something has all of it, none keeps a password once it is done, and an import that is over has no row left',
    broken: sql`
      select 'row ' || r.row_no || ' of import ' || r.import_id || ' made no whole account' as detail
        from bulk_import_rows r
        join bulk_imports i on i.id = r.import_id and i.kind = 'users'
        left join users u on u.id = r.made_user_id
        left join organizations o on o.id = r.made_id
       where r.result = 'created' and (u.id is null or o.id is null or (u.deleted_at is null and o.deleted_at is null
         and not exists (select from memberships m where m.user_id = u.id and m.organization_id = o.id)))
      union all
      select 'row ' || r.row_no || ' of import ' || r.import_id || ' made no gallery' from bulk_import_rows r
        join bulk_imports i on i.id = r.import_id and i.kind = 'galleries'
       where r.result = 'created' and not exists (select from galleries g where g.id = r.made_id)
      union all
      select 'the account ' || made_user_id || ' was made by ' || count(*) || ' rows' from bulk_import_rows
       where result = 'created' and made_user_id is not null group by made_user_id having count(*) > 1
      union all
      select 'import ' || i.id || ' is over (' || i.status || ') and has rows that wait' from bulk_imports i
       where i.status <> 'running' and exists (select from bulk_import_rows r where r.import_id = i.id and r.result is null)`,
  },
  {
    name: 'imported books',
    rule: 'postings that came from another installation sum to nothing, and its orders are the sums of their lines and passes',
    broken: sql`
      select 'posting ' || (facts ->> 'posting_id') || ' of import ' || import_id || ' sums to ' || sum((facts ->> 'amount_cents')::bigint) as detail
        from imported_records where dataset = 'ledger' group by import_id, facts ->> 'posting_id'
      having sum((facts ->> 'amount_cents')::bigint) <> 0
      union all
      select 'order ' || (o.facts ->> 'id') || ' of import ' || o.import_id || ' is not the sum of its lines' from imported_records o
        left join (select import_id, facts ->> 'order_id' as id, sum((facts ->> 'price_cents')::bigint) as cents from imported_records
                    where dataset in ('order_lines', 'passes') group by import_id, facts ->> 'order_id') l on l.import_id = o.import_id and l.id = o.facts ->> 'id'
       where o.dataset = 'orders' and o.facts ->> 'kind' is distinct from 'credit' and (o.facts ->> 'subtotal_cents')::bigint <> coalesce(l.cents, 0)`,
  },
];

/** The ledger as an auditor reads it: its entries in the order of time, and what its accounts had before and after some days. */
import { sql, type RawBuilder } from 'kysely';
import type { BookEntry, BookAccount } from '#src/features/reconciliation/books.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** Days of a time zone, both included; null for no limit. */
export type BookDays = { from: string | null; to: string | null; timeZone: string };

const dayStart = (day: string, timeZone: string) => sql`(${day}::date::timestamp at time zone ${timeZone})`;
const afterDay = (day: string, timeZone: string) => sql`((${day}::date + 1)::timestamp at time zone ${timeZone})`;
const isBefore = ({ from, timeZone }: BookDays): RawBuilder<boolean> =>
  from === null ? sql<boolean>`false` : sql<boolean>`t.posted_at < ${dayStart(from, timeZone)}`;
const isNotAfter = ({ to, timeZone }: BookDays): RawBuilder<boolean> =>
  to === null ? sql<boolean>`true` : sql<boolean>`t.posted_at < ${afterDay(to, timeZone)}`;

/** Where the next part of the journal begins. */
type Place = { postedAt: string; txId: number };
export type PlacedEntry = BookEntry & Place;

/** The entries of the next postings, at most `limit` postings. */
export async function listEntries(db: Reader, days: BookDays, after: Place | null, limit: number) {
  const { rows } = await sql<PlacedEntry>`
    with part as (
      select t.id, t.kind, t.source_type, t.source_id, t.posted_at from ledger_txs t
       where not ${isBefore(days)} and ${isNotAfter(days)}
         ${after === null ? sql`` : sql`and (t.posted_at, t.id) > (${after.postedAt}::timestamptz, ${after.txId})`}
       order by t.posted_at, t.id limit ${limit}
    )
    select t.id as "txId", t.posted_at::text as "postedAt", t.posted_at as at, t.kind, t.source_type as "sourceType", t.source_id as "sourceId",
           a.kind as account, a.organization_id as "organizationId", o.name as "organizationName", e.order_id as "orderId",
           e.amount_cents as "amountCents"
      from part t join ledger_entries e on e.tx_id = t.id join ledger_accounts a on a.id = e.account_id
      left join organizations o on o.id = a.organization_id
     order by t.posted_at, t.id, e.id`.execute(db);
  return rows;
}

/** Every account that had an entry by the last day. */
export async function listAccounts(db: Reader, days: BookDays): Promise<BookAccount[]> {
  // Reads every entry until then.
  await sql`set local statement_timeout = '120s'`.execute(db);
  const { rows } = await sql<BookAccount>`
    with sums as (
      select e.account_id, coalesce(sum(e.amount_cents) filter (where ${isBefore(days)}), 0)::bigint as opening,
             coalesce(sum(e.amount_cents) filter (where e.amount_cents > 0 and not ${isBefore(days)}), 0)::bigint as debits,
             coalesce(-sum(e.amount_cents) filter (where e.amount_cents < 0 and not ${isBefore(days)}), 0)::bigint as credits
        from ledger_entries e join ledger_txs t on t.id = e.tx_id
       where ${isNotAfter(days)} group by e.account_id
    )
    select a.kind as account, a.organization_id as "organizationId", o.name as "organizationName",
           s.opening as "openingCents", s.debits as "debitCents", s.credits as "creditCents"
      from sums s join ledger_accounts a on a.id = s.account_id left join organizations o on o.id = a.organization_id
     order by a.organization_id is not null, a.kind, o.name, a.organization_id`.execute(db);
  return rows;
}

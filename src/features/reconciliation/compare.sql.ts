/**
 * Compares our ledger with the provider's, as it was read by a run (money M13). Like the auditor's queries this reads all
 * modules' tables and writes none; each is one set-based statement, whatever the number of orders.
 */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';
import * as contract from '#src/features/reconciliation/reconciliation.contract.ts';
import { MOST_OF_A_KIND, type Compared } from '#src/features/reconciliation/difference-texts.rules.ts';

/** The name of order `o`. */
const SUBJECT = sql<string>`(case o.kind when 'credit' then 'prepaid credit, order ' else 'order ' end || o.id)`;

const minutes = (count: number) => sql`make_interval(mins => ${count})`;
const SETTLING = minutes(contract.SETTLING_MINUTES);
const UNEXPLAINED = minutes(contract.UNEXPLAINED_MINUTES);

/** `ours`: our charges on the platform's own account. */
const OURS = sql`
  ours as (
    select a.provider_ref as ref, a.idempotency_key::text as key, ${SUBJECT} as subject, o.id as order_id, o.organization_id,
           a.amount_cents, a.fee_cents, coalesce(a.sent_at, a.created_at) as at, o.refunded_cents - o.credit_returned_cents as back,
           coalesce((select sum(d.amount_cents) from payment_disputes d where d.order_id = o.id and d.status <> 'won'), 0) as disputed,
           exists (select from payment_attempts r where r.order_id = o.id and r.kind = 'refund' and r.state in ('created', 'sent', 'unknown')) as is_moving
      from payment_attempts a join orders o on o.id = a.order_id and o.processor = 'platform', run
     where a.kind = 'charge' and a.state = 'succeeded' and a.created_at >= run.from_at - interval '1 day'
    union all
    select p.provider_ref, p.idempotency_key::text, 'account payment ' || p.id, null, p.organization_id, p.amount_cents, p.fee_cents,
           coalesce(p.sent_at, p.created_at), case p.state when 'refunded' then p.amount_cents else 0 end, 0, p.state = 'refunding'
      from account_payments p, run
     where p.state in ('succeeded', 'refunding', 'refunded') and p.created_at >= run.from_at - interval '1 day'
  )`;
const THEIRS = sql`
  theirs as (
    select l.charge_ref as ref, l.idempotency_key as key, l.order_ref, l.at, l.amount_cents, l.fee_cents
      from provider_lines l where l.run_id = (select id from run) and l.kind = 'charge'
  ), later as (
    select l.charge_ref as ref, -coalesce(sum(l.amount_cents) filter (where l.kind = 'refund'), 0) as back,
           -coalesce(sum(l.amount_cents) filter (where l.kind = 'dispute'), 0) as disputed, max(l.at) as latest
      from provider_lines l where l.run_id = (select id from run) and l.kind in ('refund', 'dispute') and l.charge_ref is not null
     group by l.charge_ref
  )`;
const runOf = (runId: number) => sql`run as (select id, from_at, to_at from reconciliation_runs where id = ${runId})`;

/**
 * The provider's lines were just written, so the planner has no statistics and would scan all of them for each charge. Until
 * the transaction ends, only set joins are used.
 */
async function joinAsSets(db: Reader): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(db);
}

/** Comparisons R1 and R2: charge by charge, with its refunds and disputes. */
export async function compareCharges(db: Reader, runId: number): Promise<Compared[]> {
  await joinAsSets(db);
  const { rows } = await sql<Compared>`
    with ${runOf(runId)}, ${OURS}, ${THEIRS}, pairs as materialized (
      select o.subject, o.order_id, o.organization_id, o.ref as our_ref, o.amount_cents as ours, o.fee_cents as our_fee, o.at as our_at, o.back as our_back,
             o.disputed as our_disputed, o.is_moving, t.ref, t.amount_cents as theirs, t.fee_cents as fee, t.at,
             coalesce(l.back, 0) as back, coalesce(l.disputed, 0) as disputed, l.latest
        from ours o left join theirs t on t.ref = o.ref left join later l on l.ref = t.ref
    ), found as (
      select 'charge_missing_there' as kind, subject, order_id, organization_id, ours, null::bigint as theirs from pairs, run
       where ref is null and our_at between run.from_at + ${UNEXPLAINED} and run.to_at - ${SETTLING}
      union all
      select 'amount_differs', subject, order_id, organization_id, ours, theirs from pairs where ref is not null and ours <> theirs
      union all
      select 'fee_differs', subject, order_id, organization_id, our_fee, fee from pairs where ref is not null and our_fee is not null and our_fee <> fee
      union all
      select 'refund_differs', subject, order_id, organization_id, our_back, back from pairs, run
       where ref is not null and not is_moving and our_back <> back and (latest is null or latest < run.to_at - ${SETTLING})
      union all
      select 'dispute_differs', subject, order_id, organization_id, our_disputed, disputed from pairs, run
       where ref is not null and our_disputed <> disputed and (latest is null or latest < run.to_at - ${SETTLING})
    )
    select kind, subject, order_id as "orderId", organization_id as "organizationId", ours::bigint as "oursCents", theirs::bigint as "theirsCents"
      from (select *, row_number() over (partition by kind order by subject) as place from found) found
     where place <= ${MOST_OF_A_KIND} order by kind, subject`.execute(db);
  return rows;
}

type Orphan = {
  ref: string;
  key: string | null;
  orderRef: string | null;
  amountCents: number;
  what: 'failed' | 'undecided' | 'nothing';
};

/** Charges at the provider that match none of our paid orders and accounts for more than an hour (comparison R5). */
export async function listOrphans(db: Reader, runId: number, only?: string): Promise<Orphan[]> {
  await joinAsSets(db);
  const { rows } = await sql<Orphan>`
    with ${runOf(runId)}, ${THEIRS}
    select t.ref, t.key, t.order_ref as "orderRef", t.amount_cents - coalesce(l.back, 0) as "amountCents",
           case when a.state = 'failed' or p.state = 'failed' then 'failed' when a.state is not null or p.state is not null then 'undecided' else 'nothing' end as what
      from run, theirs t
      left join later l on l.ref = t.ref
      left join payment_attempts a on a.idempotency_key::text = t.key and a.kind = 'charge'
      left join account_payments p on p.idempotency_key::text = t.key
     where t.at < run.to_at - ${UNEXPLAINED} and t.amount_cents > coalesce(l.back, 0)
       and coalesce(a.state, 'failed') <> 'succeeded' and coalesce(p.state, 'failed') not in ('succeeded', 'refunding', 'refunded')
       and not exists (select from payment_attempts b where b.provider_ref = t.ref and b.state = 'succeeded')
       ${only === undefined ? sql`` : sql`and t.ref = ${only}`}
     order by t.at limit ${MOST_OF_A_KIND}`.execute(db);
  return rows;
}

/** Comparison R3: the provider's transfers to our bank, what they consist of, and what we booked. */
export async function compareBankPayouts(db: Reader, runId: number): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    with ${runOf(runId)}, sent as (
      select ref, -amount_cents as amount, parts_cents as parts from provider_lines where run_id = ${runId} and kind = 'payout'
    ), booked as (
      select t.source_id as ref, t.posted_at as at, sum(e.amount_cents) as amount
        from ledger_txs t
        join ledger_entries e on e.tx_id = t.id
        join ledger_accounts c on c.id = e.account_id and c.kind = 'bank'
       where t.kind = 'provider_payout' group by t.id
    )
    select 'bank_payout_differs' as kind, 'transfer ' || s.ref as subject, null::bigint as "orderId", null::bigint as "organizationId",
           coalesce(s.parts, b.amount, 0)::bigint as "oursCents", s.amount::bigint as "theirsCents"
      from sent s left join booked b on b.ref = s.ref
     where coalesce(s.parts, s.amount) <> s.amount or b.amount is distinct from s.amount
    union all
    select 'bank_payout_gone', 'transfer ' || b.ref, null, null, b.amount::bigint, null
      from booked b, run
     where b.at between run.from_at + ${UNEXPLAINED} and run.to_at - ${SETTLING} and not exists (select from sent s where s.ref = b.ref)
     limit ${MOST_OF_A_KIND}`.execute(db);
  return rows;
}

/** Comparisons R5 and R6: orders without a result, and free ones with a payment. */
export async function compareOrders(db: Reader): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    (select 'order_undecided' as kind, ${SUBJECT} as subject, o.id as "orderId", o.organization_id as "organizationId",
            o.total_cents::bigint as "oursCents", null::bigint as "theirsCents"
       from orders o where o.status = 'pending' and o.created_at < now() - ${minutes(contract.UNDECIDED_MINUTES)}
        and not exists (select from payment_attempts a where a.order_id = o.id and a.action_since > now() - ${minutes(contract.ASKED_BY_BANK_MINUTES)})
      order by o.id limit ${MOST_OF_A_KIND})
    union all
    (select 'free_order_charged', 'order ' || o.id, o.id, o.organization_id, 0, sum(a.amount_cents)::bigint
       from payment_attempts a join orders o on o.id = a.order_id where a.kind = 'charge' and o.total_cents = o.credit_cents group by o.id, o.organization_id order by o.id limit ${MOST_OF_A_KIND})`.execute(
    db,
  );
  return rows;
}

type Sides = { what: string; ours: { count: number; cents: number }; theirs: { count: number; cents: number } };

/** Counts and sums of both sides of the comparison. */
export async function sumSides(db: Reader, runId: number): Promise<Sides[]> {
  await joinAsSets(db);
  const { rows } = await sql<{
    what: string;
    our_count: number;
    our_cents: number;
    their_count: number;
    their_cents: number;
  }>`
    with ${runOf(runId)}, ${OURS}, ${THEIRS}, pairs as materialized (
      select o.ref as our_ref, o.amount_cents as ours, coalesce(o.fee_cents, t.fee_cents) as our_fee, o.back as our_back, t.ref, t.amount_cents as theirs, t.fee_cents as fee,
             coalesce(l.back, 0) as back
        from ours o full join theirs t on t.ref = o.ref left join later l on l.ref = t.ref, run
       where (t.ref is not null and (o.ref is not null or t.at < run.to_at - ${UNEXPLAINED}))
          or (t.ref is null and o.at between run.from_at + ${UNEXPLAINED} and run.to_at - ${SETTLING})
    )
    select 'charges' as what, count(our_ref)::int as our_count, coalesce(sum(ours), 0)::bigint as our_cents,
           count(ref)::int as their_count, coalesce(sum(theirs), 0)::bigint as their_cents from pairs
    union all
    select 'fees', count(*) filter (where our_fee > 0 and our_ref is not null)::int, coalesce(sum(our_fee) filter (where our_ref is not null), 0)::bigint,
           count(*) filter (where fee > 0)::int, coalesce(sum(fee), 0)::bigint from pairs
    union all
    select 'refunds', count(*) filter (where our_back > 0)::int, coalesce(sum(our_back), 0)::bigint,
           count(*) filter (where back > 0)::int, coalesce(sum(back), 0)::bigint from pairs
    union all
    select 'bank', (select count(*)::int from ledger_txs t where t.kind = 'provider_payout' and t.source_id in (select ref from provider_lines where run_id = ${runId} and kind = 'payout')),
           (select coalesce(sum(e.amount_cents), 0)::bigint from ledger_txs t join ledger_entries e on e.tx_id = t.id join ledger_accounts c on c.id = e.account_id and c.kind = 'bank'
             where t.kind = 'provider_payout' and t.source_id in (select ref from provider_lines where run_id = ${runId} and kind = 'payout')),
           count(*)::int, coalesce(-sum(amount_cents), 0)::bigint from provider_lines
            where run_id = ${runId} and kind = 'payout'`.execute(db);
  return rows.map((row) => ({
    what: row.what,
    ours: { count: row.our_count, cents: Number(row.our_cents) },
    theirs: { count: row.their_count, cents: Number(row.their_cents) },
  }));
}

/** Tables of this module: reconciliation_runs, provider_lines, reconciliation_differences. */
import { sql } from 'kysely';
import type { DifferenceKind, DifferenceState, Figures } from '#src/features/reconciliation/reconciliation.contract.ts';
import type { DifferenceRow, FoundDifference, RunRow } from '#src/features/reconciliation/difference-texts.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { BookLine } from '#src/platform/payments/payments.ts';

/** A run without a heartbeat for this long is dead. */
const DEAD_AFTER = sql`interval '10 minutes'`;

/** Ends dead runs, so that another can start. */
export async function endDeadRuns(tx: Writer): Promise<void> {
  await sql`
    update reconciliation_runs set state = 'failed', finished_at = now(), error = 'it was cut off'
     where state in ('waiting', 'running') and beat_at < now() - ${DEAD_AFTER}`.execute(tx);
}

/** The new run's id; null while another waits or runs. */
export async function insertRun(tx: Writer, askedBy: number | null): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into reconciliation_runs (state, asked_by) values ('waiting', ${askedBy})
    on conflict ((true)) where state in ('waiting', 'running') do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Starts the waiting run; returns its time range, or null if none waits. */
export async function takeRun(tx: Writer, id: number, days: number): Promise<{ from: Date; to: Date } | null> {
  const { rows } = await sql<{ from: Date; to: Date }>`
    update reconciliation_runs set state = 'running', beat_at = now(), to_at = now(), from_at = now() - make_interval(days => ${days})
     where id = ${id} and state = 'waiting' returning from_at as "from", to_at as "to"`.execute(tx);
  return rows[0] ?? null;
}

export async function listWaiting(db: Reader): Promise<number[]> {
  const rows = await db.selectFrom('reconciliation_runs').select('id').where('state', '=', 'waiting').execute();
  return rows.map(({ id }) => id);
}

/** Stores a page of the provider's ledger; repeated lines are stored once. */
export async function insertLines(tx: Writer, runId: number, lines: readonly BookLine[]): Promise<void> {
  const column = <T>(pick: (line: BookLine) => T): T[] => lines.map(pick);
  await sql`
    with beat as (update reconciliation_runs set beat_at = now() where id = ${runId})
    insert into provider_lines (run_id, ref, kind, at, charge_ref, idempotency_key, order_ref, amount_cents, fee_cents, parts_cents)
    select ${runId}, line.*
      from unnest(${column(({ ref }) => ref)}::text[], ${column(({ kind }) => kind)}::text[], ${column(({ at }) => at)}::timestamptz[],
                  ${column(({ chargeRef }) => chargeRef)}::text[], ${column((line) => line.idempotencyKey)}::text[], ${column(({ orderRef }) => orderRef)}::text[],
                  ${column(({ amountCents }) => amountCents)}::bigint[], ${column(({ feeCents }) => feeCents ?? 0)}::bigint[],
                  ${column(({ partsCents }) => partsCents)}::bigint[])
           as line (ref, kind, at, charge_ref, idempotency_key, order_ref, amount_cents, fee_cents, parts_cents)
    on conflict (run_id, ref) do nothing`.execute(tx);
}

/** Data read by earlier runs is no longer needed. */
export async function deleteLines(tx: Writer, runId: number): Promise<void> {
  await tx.deleteFrom('provider_lines').where('run_id', '<>', runId).execute();
}

/** The provider's payouts to our bank in this run. */
export async function listBankPayouts(db: Reader, runId: number) {
  const { rows } = await sql<{ ref: string; at: Date; amountCents: number }>`
    select ref, at, -amount_cents as "amountCents" from provider_lines
     where run_id = ${runId} and kind = 'payout' order by at, ref`.execute(db);
  return rows;
}

/**
 * Stores what was found: known differences continue with their assignee; new ones are open. An explanation applies to the
 * explained amounts: with other amounts the difference is reopened.
 */
export async function insertDifferences(tx: Writer, runId: number, found: readonly FoundDifference[]): Promise<void> {
  if (found.length === 0) return;
  const column = <T>(pick: (one: FoundDifference) => T): T[] => found.map(pick);
  await sql`
    insert into reconciliation_differences (kind, subject, order_id, organization_id, ours, theirs, difference_cents, last_run_id)
    select distinct on (one.kind, one.subject) one.*, ${runId}::bigint
      from unnest(${column(({ kind }) => kind)}::text[], ${column(({ subject }) => subject)}::text[], ${column(({ orderId }) => orderId)}::bigint[],
                  ${column((one) => one.organizationId)}::bigint[], ${column(({ ours }) => ours)}::text[], ${column(({ theirs }) => theirs)}::text[],
                  ${column((one) => one.differenceCents)}::bigint[])
           as one (kind, subject, order_id, organization_id, ours, theirs, difference_cents)
    on conflict (kind, subject) where state <> 'closed'
    do update set state = case when (reconciliation_differences.ours, reconciliation_differences.theirs) is distinct from (excluded.ours, excluded.theirs)
                               then 'open' else reconciliation_differences.state end,
                  ours = excluded.ours, theirs = excluded.theirs, difference_cents = excluded.difference_cents,
                  last_seen_at = now(), last_run_id = excluded.last_run_id`.execute(tx);
}

/** A difference is first seen the night after its payment; some nights may have failed. */
const SEEN_LATE = sql`interval '3 days'`;

/**
 * Closes differences that this run checked and no longer found. A payment or transfer that is now too old was not
 * checked: its difference stays until someone explains it. So do all of the kinds in `cutOff`, which were not listed
 * completely.
 */
export async function closeVanished(tx: Writer, runId: number, cutOff: readonly DifferenceKind[]): Promise<void> {
  // The planner has no statistics for lines that were just written.
  await sql`set local enable_nestloop = off`.execute(tx);
  await sql`
    update reconciliation_differences d set state = 'closed', closed_at = now()
     where state <> 'closed' and last_run_id <> ${runId} and d.kind <> all (${[...cutOff]}::text[])
       and (d.first_seen_at > (select from_at + ${SEEN_LATE} from reconciliation_runs where id = ${runId})
            or d.kind not in ('charge_missing_there', 'amount_differs', 'fee_differs', 'refund_differs', 'dispute_differs',
                           'orphan_charge', 'charge_without_order', 'bank_payout_differs', 'bank_payout_gone')
            or d.subject in (
              select case l.kind when 'payout' then 'transfer ' || l.ref else 'charge ' || l.charge_ref end from provider_lines l
               where l.run_id = ${runId} and l.kind in ('charge', 'payout')
              union all
              select case when a.order_id is null then 'account payment ' || p.id else 'order ' || a.order_id end
                from provider_lines l
                left join payment_attempts a on a.provider_ref = l.charge_ref and a.kind = 'charge'
                left join account_payments p on p.provider_ref = l.charge_ref
               where l.run_id = ${runId} and l.kind = 'charge'))`.execute(tx);
}

export async function finishRun(tx: Writer, runId: number, figures: Figures, found: number): Promise<void> {
  await sql`
    update reconciliation_runs set state = 'done', finished_at = now(), figures = ${JSON.stringify(figures)}::jsonb, found = ${found}
     where id = ${runId}`.execute(tx);
}

export async function failRun(tx: Writer, runId: number, error: string): Promise<void> {
  await sql`
    update reconciliation_runs set state = 'failed', finished_at = now(), error = ${error}
     where id = ${runId} and state in ('waiting', 'running')`.execute(tx);
}

/** The newest runs. */
export async function listRuns(db: Reader, limit: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.id, r.state, u.first_name || ' ' || u.last_name as "askedBy", r.from_at as "from", r.to_at as "to", r.created_at as "startedAt",
           r.finished_at as "finishedAt", r.figures, r.found
      from reconciliation_runs r left join users u on u.id = r.asked_by order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The newest first, by key. */
export async function listDifferences(
  db: Reader,
  search: { state: DifferenceState; before: number | null; limit: number; only?: number },
): Promise<DifferenceRow[]> {
  const { rows } = await sql<DifferenceRow>`
    select d.id, d.kind, d.subject, d.order_id as "orderId", d.organization_id as "organizationId", o.name as organization, d.ours, d.theirs,
           d.difference_cents as "differenceCents", d.state, d.owner_id as "ownerId", u.first_name || ' ' || u.last_name as owner, d.note,
           d.first_seen_at as "firstSeenAt", d.last_seen_at as "lastSeenAt", d.closed_at as "closedAt"
      from reconciliation_differences d
      left join organizations o on o.id = d.organization_id
      left join users u on u.id = d.owner_id
     where ${search.only === undefined ? sql`d.state = ${search.state}` : sql`d.id = ${search.only}`}
       and (${search.before === null} or d.id < ${search.before ?? 0})
     order by d.id desc limit ${search.limit}`.execute(db);
  return rows;
}

export async function countOpen(db: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reconciliation_differences where state = 'open'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** False if there is none, or it is closed. */
export async function updateDifference(
  tx: Writer,
  id: number,
  change: { owner_id?: number | null | undefined; note?: string | undefined; state?: 'open' | 'explained' | undefined },
): Promise<boolean> {
  const row = await tx
    .updateTable('reconciliation_differences')
    .set({ ...change, last_seen_at: sql<Date>`last_seen_at` })
    .where('id', '=', id)
    .where('state', '<>', 'closed')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

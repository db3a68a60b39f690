/** Tables of this module: webhook_deliveries, which triggers write (function `write_webhook`), and the status of webhook_endpoints. */
import { sql } from 'kysely';
import { RETRIED_DAYS, type DeliveryState } from '#src/features/webhooks/webhooks.contract.ts';
import { TEST_TYPE } from '#src/features/webhooks/webhook-events.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

/** Where it happened: in the endpoint's own organization, or in one below it (migration 0147). */
const WHERE = sql<number>`coalesce(d.about_organization_id, d.organization_id)`;

function selectDeliveries(db: Reader) {
  return db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('organizations as o', (join) => join.on('o.id', '=', WHERE))
    .select([
      'd.id',
      'd.endpoint_id as endpointId',
      'd.event_id as eventId',
      'd.type',
      'd.occurred_at as occurredAt',
      'd.state',
      'd.attempts',
      'd.attempted_at as attemptedAt',
      'd.status',
      'd.duration_ms as durationMs',
      'd.answer',
      'o.id as organizationId',
      'o.name as organizationName',
    ])
    .select(sql<Date | null>`case when state = 'waiting' then due_at end`.as('nextAttemptAt'));
}

/** Newest first, after an id. */
export function listDeliveries(
  db: Reader,
  {
    endpointId,
    state,
    after,
    limit,
  }: { endpointId: number; state: DeliveryState | null; after: number | null; limit: number },
) {
  return selectDeliveries(db)
    .where('d.endpoint_id', '=', endpointId)
    .$if(state !== null, (query) => query.where('d.state', '=', state ?? 'failed'))
    .$if(after !== null, (query) => query.where('d.id', '<', after ?? 0))
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
}

export function findDelivery(db: Reader, endpointId: number, id: number) {
  return selectDeliveries(db).where('d.endpoint_id', '=', endpointId).where('d.id', '=', id).executeTakeFirst();
}

/** A test message, only for this endpoint. */
export async function insertTest(tx: Writer, endpoint: { id: number; organizationId: number }): Promise<number> {
  const row = await tx
    .insertInto('webhook_deliveries')
    .values({
      organization_id: endpoint.organizationId,
      endpoint_id: endpoint.id,
      event_id: sql<string>`gen_random_uuid()`,
      type: TEST_TYPE,
      facts: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const AGAIN = {
  state: 'waiting',
  due_at: sql<Date>`now()`,
  give_up_at: sql<Date>`now() + make_interval(days => ${RETRIED_DAYS})`,
} as const;

/** Makes it due again now. False if it is still waiting. */
export async function replayOne(tx: Writer, endpointId: number, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('webhook_deliveries')
    .set(AGAIN)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .where('state', '<>', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The same for all failed ones; returns how many. */
export async function replayFailed(tx: Writer, endpointId: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set(AGAIN)
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'failed')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A replay skips the pause after a failure. */
export async function endPause(tx: Writer, endpointId: number): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ retry_at: null }).where('id', '=', endpointId).execute();
}

/** Fails waiting messages: the endpoint was switched off. */
export async function failWaiting(tx: Writer, endpointId: number, why: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', answer: sql<string>`coalesce(answer, ${why})` })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .execute();
}

/**
 * Whether anything is due, even at an endpoint that is taken. Runs every few seconds, so it needs no transaction and no scope.
 */
export async function areDue(db: Reader): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`${prepared}select webhooks_are_due() as due`.execute(db);
  return rows[0]?.due ?? false;
}

export type TakenEndpoint = {
  id: number;
  organizationId: number;
  url: string;
  secret: Buffer;
  /** Null unless it still signs, too. */
  formerSecret: Buffer | null;
  failures: number;
  /** How long every attempt has failed. */
  failingSeconds: number;
  isSlow: boolean;
};

/**
 * Takes endpoints with due messages, least recently served first; no other worker gets them for `seconds`. At most
 * `slowLimit` of them are slow. It reads the index of waiting messages from endpoint to endpoint, so that an empty
 * queue costs one index lookup.
 */
export async function takeEndpoints(
  tx: Writer,
  { limit, slowLimit, seconds }: { limit: number; slowLimit: number; seconds: number },
): Promise<TakenEndpoint[]> {
  const { rows } = await sql<TakenEndpoint>`
    with recursive waiting as (
      (select endpoint_id as id from webhook_deliveries where state = 'waiting' order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from webhook_deliveries d where d.state = 'waiting' and d.endpoint_id > w.id order by d.endpoint_id limit 1)
        from waiting w where w.id is not null
    ), due as (
      select e.id, e.slow, row_number() over (partition by e.slow order by e.served_at) as place
        from waiting w
        join webhook_endpoints e on e.id = w.id
        join organizations o on o.id = e.organization_id and o.deleted_at is null
       where e.active and (e.taken_until is null or e.taken_until < now()) and (e.retry_at is null or e.retry_at <= now())
         and exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'waiting' and d.due_at <= now())
    ), chosen as materialized (
      select e.id from webhook_endpoints e
       where e.id in (select id from due where not slow or place <= ${slowLimit})
         and (e.taken_until is null or e.taken_until < now())
       order by e.served_at limit ${limit} for no key update skip locked
    )
    update webhook_endpoints e
       set taken_until = now() + make_interval(secs => ${seconds}::float8), served_at = now()
      from chosen where e.id = chosen.id
    returning e.id, e.organization_id as "organizationId", e.url, e.secret,
              case when e.former_until > now() then e.former_secret end as "formerSecret", e.failures,
              coalesce(extract(epoch from now() - e.failing_since), 0)::float8 as "failingSeconds", e.slow as "isSlow"`.execute(
    tx,
  );
  return rows;
}

export type DueDelivery = {
  id: number;
  organizationId: number;
  eventId: string;
  type: string;
  facts: unknown;
  occurredAt: Date;
  attempts: number;
  dueAt: Date;
  /** It happened in an organization below the endpoint's. */
  isOfAffiliate: boolean;
};

/** Due messages of an endpoint, longest due first: up to `limit` of its own organization, and as many of those below it. */
export function listDue(db: Reader, endpointId: number, limit: number): Promise<DueDelivery[]> {
  const due = (isOfAffiliate: boolean) =>
    db
      .selectFrom('webhook_deliveries as d')
      .select(['d.id', 'd.event_id as eventId', 'd.type', WHERE.as('organizationId')])
      .select(['d.occurred_at as occurredAt', 'd.attempts', 'd.due_at as dueAt'])
      .select([sql<unknown>`d.facts`.as('facts'), sql<boolean>`${isOfAffiliate}::boolean`.as('isOfAffiliate')])
      .where('d.endpoint_id', '=', endpointId)
      .where('d.state', '=', 'waiting')
      .where('d.about_organization_id', isOfAffiliate ? 'is not' : 'is', null)
      .where('d.due_at', '<=', sql<Date>`now()`)
      .orderBy('d.due_at')
      .orderBy('d.id')
      .limit(limit);
  return db
    .selectFrom(due(false).as('own'))
    .selectAll()
    .unionAll(db.selectFrom(due(true).as('below')).selectAll())
    .execute();
}

type Attempt = {
  id: number;
  /** The number before this attempt. */
  attempts: number;
  isDelivered: boolean;
  status: number | null;
  durationMs: number;
  answer: string;
  /** When it is due again after a failure; null after the last attempt. */
  againSeconds: number;
};

/** Records an attempt, unless another worker has recorded the same one. */
export async function recordAttempt(tx: Writer, attempt: Attempt): Promise<void> {
  const { id, attempts, isDelivered, status, durationMs, answer, againSeconds } = attempt;
  await sql`
    update webhook_deliveries
       set attempts = attempts + 1, attempted_at = now(), status = ${status}::int, duration_ms = ${durationMs}::int, answer = ${answer},
           state = case when ${isDelivered} then 'delivered' when give_up_at <= now() then 'failed' else 'waiting' end,
           due_at = least(now() + make_interval(secs => ${againSeconds}::float8), greatest(give_up_at, now()))
     where id = ${id} and attempts = ${attempts} and state = 'waiting'`.execute(tx);
}

/** The result of a round of sending. */
type Round = { wentWell: boolean; wasSlow: boolean; pauseSeconds: number };

/** Releases an endpoint after a round. */
export async function releaseEndpoint(tx: Writer, id: number, { wentWell, wasSlow, pauseSeconds }: Round) {
  await sql`
    update webhook_endpoints
       set taken_until = null, slow = ${wasSlow},
           failures = case when ${wentWell} then 0 else failures + 1 end,
           failing_since = case when ${wentWell} then null else coalesce(failing_since, now()) end,
           retry_at = case when ${wentWell} then null else now() + make_interval(secs => ${pauseSeconds}::float8) end
     where id = ${id}`.execute(tx);
}

/** Switches off an endpoint that keeps failing. False if someone switched it off or reset it meanwhile. */
export async function pauseFailing(tx: Writer, id: number): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints set active = false, paused_at = now()
     where id = ${id} and active and failing_since is not null returning id`.execute(tx);
  return rows.length > 0;
}

/** Releases an endpoint without an attempt, until later. */
export async function postponeEndpoint(tx: Writer, id: number, seconds: number): Promise<void> {
  await sql`
    update webhook_endpoints set taken_until = null, retry_at = now() + make_interval(secs => ${seconds}::float8)
     where id = ${id}`.execute(tx);
}

/** Deletes deliveries older than this many days, in parts; returns how many. */
export async function deleteOld(tx: Writer, days: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where occurred_at < now() - make_interval(days => ${days}::int) limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

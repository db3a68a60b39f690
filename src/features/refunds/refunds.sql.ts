/**
 * Refunds as attempts at the provider (payment_attempts), what they change in their orders, and requests of organizations:
 * refund_requests.
 */
import { sql } from 'kysely';
import type { SoldThings } from '#src/features/refunds/returned-parts.rules.ts';
import type { RefundState } from '#src/features/refunds/refunds.contract.ts';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

/** Locks the order: refunds of one order are stored one after another. */
export async function lockOrder(tx: Writer, orderId: number) {
  const order = await tx
    .selectFrom('orders')
    .select(['id', 'organization_id as organizationId', 'status', 'kind', 'processor'])
    .select(['total_cents as totalCents', 'refunded_cents as refundedCents'])
    .select(['credit_cents as creditCents', 'credit_returned_cents as creditReturnedCents'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
  if (!order) return null;
  const inFlight = sql<number>`coalesce(sum(amount_cents) filter (where kind = 'refund' and state in ('created', 'sent', 'unknown')), 0)::int`;
  const creditInFlight = sql<number>`coalesce(sum(credit_cents) filter (where kind = 'refund' and state in ('created', 'sent', 'unknown')), 0)::int`;
  const attempts = await tx
    .selectFrom('payment_attempts')
    .select(inFlight.as('inFlightCents'))
    .select(creditInFlight.as('creditInFlightCents'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  return { ...order, ...attempts };
}

type NewRefund = RowOf<
  'payment_attempts',
  | 'order_id'
  | 'organization_id'
  | 'idempotency_key'
  | 'amount_cents'
  | 'credit_cents'
  | 'asked_for_all'
  | 'account_secret'
  | 'actor_id'
  | 'reason'
  | 'photo_ids'
  | 'pass_ids'
>;
type NewRequest = RowOf<
  'refund_requests',
  'order_id' | 'organization_id' | 'amount_cents' | 'reason' | 'asked_by' | 'photo_ids' | 'pass_ids'
>;

/** Stores a refund before it is sent to the provider. `askedForAll`: no amount was given. */
export async function insertRefund(tx: Writer, refund: NewRefund): Promise<number> {
  const row = await tx
    .insertInto('payment_attempts')
    .values({ ...refund, kind: 'refund', state: 'sent', sent_at: sql<Date>`now()` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const nameOf = (alias: string) =>
  sql<string | null>`${sql.ref(`${alias}.first_name`)} || ' ' || ${sql.ref(`${alias}.last_name`)}`;

const ids = (column: 'a.photo_ids' | 'a.pass_ids' | 'r.photo_ids' | 'r.pass_ids') =>
  sql<number[] | null>`to_jsonb(${sql.ref(column)})`;

/** Attempts as refunds: an undecided one is pending, and only a refusal has an error. */
export const selectRefunds = (db: Reader) =>
  db
    .selectFrom('payment_attempts as a')
    .leftJoin('users as u', 'u.id', 'a.actor_id')
    .select(['a.id', 'a.order_id as orderId', 'a.amount_cents as amountCents', 'a.reason'])
    .select([ids('a.photo_ids').as('photos'), ids('a.pass_ids').as('passes')])
    .select(['a.created_at as createdAt', 'a.decided_at as decidedAt', nameOf('u').as('givenBy')])
    .select(
      sql<RefundState>`case a.state when 'succeeded' then 'given' when 'failed' then 'refused' else 'pending' end`.as(
        'state',
      ),
    )
    .select(sql<string | null>`case when a.state = 'failed' then a.error end`.as('error'));

/** The attempt with a key, also if it is a charge. */
export async function findByKey(db: Reader, idempotencyKey: string) {
  const row = await selectRefunds(db)
    .select(['a.kind', 'a.asked_for_all as askedForAll'])
    .where('a.idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row ?? null;
}

export async function findRefund(db: Reader, id: number) {
  return selectRefunds(db).where('a.id', '=', id).where('a.kind', '=', 'refund').executeTakeFirst();
}

/** What was bought with an order, and what of it is in refunds that were not refused. */
export async function findSoldThings(db: Reader, orderId: number): Promise<SoldThings | null> {
  const back = (column: 'photo_ids' | 'pass_ids') => sql`
    coalesce((select json_agg(back.id) from payment_attempts a, unnest(${sql.ref(`a.${column}`)}) as back (id)
               where a.order_id = o.id and a.kind = 'refund' and a.state <> 'failed'), '[]')`;
  const { rows } = await sql<SoldThings>`
    select o.subtotal_cents as "subtotalCents", o.bonus_cents as "bonusCents", o.tax_cents as "taxCents", o.tax_rate_ppm as "taxRatePpm",
           coalesce((select json_agg(json_build_object('photoId', l.photo_id, 'priceCents', l.price_cents) order by l.id)
                       from order_photos l where l.order_id = o.id), '[]') as lines,
           coalesce((select json_agg(json_build_object('id', p.id, 'photoIds', array(
                              select l.photo_id from order_photos l where l.order_offer_id = p.order_offer_id)) order by p.order_offer_id)
                       from passes p where p.order_id = o.id), '[]') as passes,
           ${back('photo_ids')} as "backPhotos", ${back('pass_ids')} as "backPasses",
           (select price.asked || jsonb_build_object('sheets', coalesce((
                     select jsonb_agg(jsonb_build_object('id', v.sheet_id, 'version', v.version, 'content', v.content))
                       from jsonb_to_recordset(price.asked -> 'sheets') as sold (id bigint, version integer)
                       join price_sheet_versions v on v.sheet_id = sold.id and v.version = sold.version), '[]'))
              from order_prices price where price.order_id = o.id) as question
      from orders o where o.id = ${orderId}`.execute(db);
  return rows[0] ?? null;
}

export type SentRefund = {
  id: number;
  orderId: number;
  organizationId: number;
  idempotencyKey: string;
  amountCents: number;
  /** The part of the amount that is returned to credit codes. */
  creditCents: number;
  chargeRef: string;
  accountSecret: Uint8Array | null;
  ageSeconds: number;
  /** Photos or passes are refunded with it. */
  closes: boolean;
};

/** A pending refund, with its charge. */
export async function findUndecided(db: Reader, id: number): Promise<SentRefund | null> {
  const { rows } = await sql<SentRefund>`
    select a.id, a.order_id as "orderId", a.organization_id as "organizationId", a.idempotency_key::text as "idempotencyKey",
           a.amount_cents as "amountCents", a.credit_cents as "creditCents", c.provider_ref as "chargeRef", a.account_secret as "accountSecret",
           extract(epoch from now() - a.created_at)::float8 as "ageSeconds",
           coalesce(a.photo_ids, a.pass_ids) is not null as closes
      from payment_attempts a
      join payment_attempts c on c.order_id = a.order_id and c.kind = 'charge' and c.state = 'succeeded' and c.provider_ref is not null
     where a.id = ${id} and a.kind = 'refund' and a.state in ('created', 'sent', 'unknown')`.execute(db);
  return rows[0] ?? null;
}

/** Refunds that have been pending for longer than their sender waits. */
export async function listLeftBehind(db: Reader, olderThanSeconds: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .select('id')
    .where('kind', '=', 'refund')
    .where('state', 'in', ['created', 'sent', 'unknown'])
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds}::float8)`)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Adds to the part of refunds that was returned to codes. */
export async function addCreditReturned(tx: Writer, orderId: number, creditCents: number): Promise<void> {
  await sql`
    update orders set credit_returned_cents = credit_returned_cents + ${creditCents} where id = ${orderId}`.execute(tx);
}

/** A full refund also withdraws the downloads (threat 10). */
export async function updateRefunded(tx: Writer, orderId: number, refundedCents: number, isWhole: boolean) {
  await tx.updateTable('orders').set({ refunded_cents: refundedCents }).where('id', '=', orderId).execute();
  if (!isWhole) return;
  await sql`
    with ended as (update passes set revoked_at = now() where order_id = ${orderId} and revoked_at is null)
    update order_photos set revoked_at = now() where order_id = ${orderId} and revoked_at is null`.execute(tx);
}

/** False when it was already decided. The refunded photos and passes can no longer be opened. */
export async function markGiven(tx: Writer, id: number, refundRef: string | null): Promise<boolean> {
  const { rows } = await sql`
    with given as (
      update payment_attempts set state = 'succeeded', provider_ref = ${refundRef}, error = null, account_secret = null, decided_at = now()
       where id = ${id} and kind = 'refund' and state in ('created', 'sent', 'unknown') returning id, order_id, photo_ids, pass_ids
    ), closed as (
      update order_photos l set revoked_at = now() from given
       where l.order_id = given.order_id and l.photo_id = any (given.photo_ids) and l.revoked_at is null
    ), ended as (
      update passes p set revoked_at = now() from given
       where p.order_id = given.order_id and p.id = any (given.pass_ids) and p.revoked_at is null
    )
    select id from given`.execute(tx);
  return rows.length > 0;
}

export async function markRefused(tx: Writer, id: number, message: string): Promise<boolean> {
  const { rows } = await sql`
    update payment_attempts set state = 'failed', error = ${message}, account_secret = null, decided_at = now()
     where id = ${id} and kind = 'refund' and state in ('created', 'sent', 'unknown') returning id`.execute(tx);
  return rows.length > 0;
}

/** Null when there is already an open one. */
export async function insertRequest(tx: Writer, request: NewRequest): Promise<number | null> {
  const row = await tx
    .insertInto('refund_requests')
    .values(request)
    .onConflict((conflict) => conflict.column('order_id').where('state', '=', 'open').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

const ofRequest = (db: Reader) =>
  db
    .selectFrom('refund_requests as r')
    .leftJoin('users as asker', 'asker.id', 'r.asked_by')
    .leftJoin('users as decider', 'decider.id', 'r.decided_by')
    .select([
      'r.id',
      'r.order_id as orderId',
      'r.organization_id as organizationId',
      'r.amount_cents as amountCents',
      ids('r.photo_ids').as('photos'),
      ids('r.pass_ids').as('passes'),
      'r.reason',
      'r.state',
      nameOf('asker').as('askedBy'),
      sql<string | null>`case when asker.deleted_at is null then asker.email::text end`.as('askerEmail'),
      'r.asked_at as askedAt',
      nameOf('decider').as('decidedBy'),
      'r.decided_at as decidedAt',
      'r.note',
    ]);

export function findRequest(db: Reader, id: number) {
  return ofRequest(db).where('r.id', '=', id).executeTakeFirst();
}

/** The newest requests of these orders. */
export async function listRequestsOf(db: Reader, orderIds: readonly number[]) {
  if (orderIds.length === 0) return [];
  return ofRequest(db)
    .where('r.order_id', 'in', [...orderIds])
    .orderBy('r.id', 'desc')
    .execute();
}

/** Answers the open request of an order with a refund; returns its id, or null without one. */
export async function answerRequest(tx: Writer, orderId: number, attemptId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    update refund_requests set state = 'given', decided_at = now(), attempt_id = ${attemptId},
           decided_by = (select actor_id from payment_attempts where id = ${attemptId})
     where order_id = ${orderId} and state = 'open' returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** False when it was already decided. */
export async function declineRequest(tx: Writer, id: number, decidedBy: number, note: string): Promise<boolean> {
  const { rows } = await sql`
    update refund_requests set state = 'declined', decided_at = now(), decided_by = ${decidedBy}, note = ${note}
     where id = ${id} and state = 'open' returning id`.execute(tx);
  return rows.length > 0;
}

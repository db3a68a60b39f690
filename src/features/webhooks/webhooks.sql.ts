/** Tables of this module: webhook_endpoints, as their organization sees them. Messages are in `webhook-deliveries.sql.ts`. */
import { sql } from 'kysely';
import type { WebhookType } from '#src/features/webhooks/webhook-events.contract.ts';
import type { EndpointChanges } from '#src/features/webhooks/webhooks.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

const COLUMNS = [
  'id',
  'organization_id as organizationId',
  'url',
  'active',
  'of_affiliates as ofAffiliates',
  'failing_since as failingSince',
  'paused_at as pausedAt',
  'created_at as createdAt',
] as const;

function selectEndpoints(db: Reader) {
  return db
    .selectFrom('webhook_endpoints')
    .select(COLUMNS)
    .select(sql<WebhookType[]>`events`.as('events'))
    .select(sql<Date | null>`case when former_until > now() then former_until end`.as('formerSecretUntil'));
}

export type EndpointRow = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

/** Oldest first; there are few. */
export function listEndpoints(db: Reader, organizationId: number) {
  return selectEndpoints(db)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findEndpoint(db: Reader, id: number) {
  return selectEndpoints(db).where('id', '=', id).executeTakeFirst();
}

/** Its organization, read before access is checked. */
export async function findOwner(db: Reader, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select('organization_id as organizationId')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.organizationId ?? null;
}

/** Locks an endpoint, so that its changes run one after another. */
export function lockEndpoint(tx: Writer, id: number) {
  return selectEndpoints(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * A new endpoint counts as slow until a round shows otherwise; creating new ones again and again would take every place of a
 * worker. Uses the first free place of its organization; null when there is none, or another request has just taken it.
 */
export async function insertEndpoint(
  tx: Writer,
  fresh: {
    organizationId: number;
    url: string;
    events: readonly string[];
    ofAffiliates: boolean;
    secret: Buffer;
    createdBy: number | null;
  },
  mostPlaces: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into webhook_endpoints (organization_id, place, url, events, of_affiliates, secret, created_by, slow)
    select ${fresh.organizationId}, free.place, ${fresh.url}, ${[...fresh.events]}::text[], ${fresh.ofAffiliates}::boolean, ${fresh.secret}::bytea, ${fresh.createdBy}::bigint, true
      from generate_series(1, ${mostPlaces}::int) as free (place)
     where not exists (select from webhook_endpoints e where e.organization_id = ${fresh.organizationId} and e.place = free.place)
     order by free.place limit 1
    on conflict (organization_id, place) do nothing
    returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Absent fields stay. Changing the address and switching on reset the failures, and keep whether it is slow. */
export async function updateEndpoint(tx: Writer, id: number, changes: EndpointChanges): Promise<void> {
  const startsAgain = changes.url !== undefined || changes.active === true;
  await tx
    .updateTable('webhook_endpoints')
    .set({
      ...changes,
      ...(changes.active === undefined ? {} : { paused_at: null }),
      ...(startsAgain ? { failing_since: null, failures: 0, retry_at: null } : {}),
    })
    .where('id', '=', id)
    .execute();
}

/** The current secret signs beside the new one for some hours. */
export async function rotateSecret(tx: Writer, id: number, secret: Buffer, formerHours: number): Promise<void> {
  await sql`
    update webhook_endpoints
       set former_secret = secret, former_until = now() + make_interval(hours => ${formerHours}::int), secret = ${secret}
     where id = ${id}`.execute(tx);
}

/** Deletes its messages, too. */
export async function deleteEndpoint(tx: Writer, id: number): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
}

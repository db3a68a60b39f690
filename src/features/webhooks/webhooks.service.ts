/**
 * Administrators of an organization manage its webhooks, see what was sent and send it again. A secret is shown only
 * when it is created. `webhook-sending.service.ts` sends; triggers record events (function `write_webhook`).
 */
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { editedBy, editedOwner, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import * as deliveriesSql from '#src/features/webhooks/webhook-deliveries.sql.ts';
import { sealSecret } from '#src/features/webhooks/webhook-signing.service.ts';
import * as words from '#src/features/webhooks/webhooks.contract.ts';
import type {
  DeliveriesQuery,
  Delivery,
  Endpoint,
  EndpointChanges,
  EndpointWithSecret,
  NewEndpoint,
} from '#src/features/webhooks/webhooks.contract.ts';
import * as webhooksSql from '#src/features/webhooks/webhooks.sql.ts';
import type { EndpointRow } from '#src/features/webhooks/webhooks.sql.ts';
import { webhookAddedEmail } from '#src/features/webhooks/webhooks.mail.tsx';
import { tenantOf, tenantScope, type Reader, type Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { pageOf } from '#src/shared/paging.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

const SYSTEM = { kind: 'system', why: 'old messages of every organization are deleted' } as const;
/** Simultaneous requests may want the same place. */
const TRIES = words.ENDPOINTS_AT_MOST;
const DELETED_AT_A_TIME = 5_000;
const EMAILS_A_DAY = 10;

type WebhookDeps = Pick<Platform, 'database' | 'limits' | 'outbox'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
  keys: Pick<Keys, 'webhookSecrets'>;
  /** Recipients of an organization's emails. */
  members: (organizationId: number) => Promise<readonly { id: number; email: string; firstName: string }[]>;
};
export type WebhookService = ReturnType<typeof createWebhookEndpoints>;

/** The organization of an endpoint, for those who administer it. @throws unauthenticated; not_found, also for other organizations */
async function ownerOf(ctx: WebhookDeps, caller: Caller, id: number): Promise<{ organizationId: number }> {
  const find = (db: Reader) => webhooksSql.findOwner(db, id);
  const owner = await editedOwner(ctx, caller, find, words.ENDPOINT_NOT_FOUND);
  return { organizationId: owner.id };
}

const shown = (row: EndpointRow): Endpoint => present(words.endpoint, row);

async function afterwards(db: Reader, id: number): Promise<EndpointRow> {
  const row = await webhooksSql.findEndpoint(db, id);
  if (!row) throw notFound(words.ENDPOINT_NOT_FOUND);
  return row;
}

async function locked(tx: Writer, id: number): Promise<EndpointRow> {
  const row = await webhooksSql.lockEndpoint(tx, id);
  if (!row) throw notFound(words.ENDPOINT_NOT_FOUND);
  return row;
}

type Done = 'added' | 'changed' | 'secret_rotated' | 'deleted' | 'replayed';
/** The audit log has an address without its path and query, because some receivers have a secret there. */
const hostOf = (url: string) => new URL(url).host;

function record(ctx: WebhookDeps, tx: Writer, caller: Caller, row: EndpointRow, action: Done, details = {}) {
  return ctx.audit.record(tx, caller, {
    action: `webhook.${action}`,
    organizationId: row.organizationId,
    object: ['webhook', row.id],
    details: { host: hostOf(row.url), ...details },
  });
}

/** Emails the organization's members that events are sent there from now on; a few times a day at most. */
async function prepareNotice(ctx: WebhookDeps, organizationId: number) {
  const emailLimit = {
    bucket: `webhook-added:${organizationId}`,
    limit: EMAILS_A_DAY,
    windowSeconds: DAY_SECONDS,
  };
  const people = (await mayTake(ctx.limits, emailLimit)) ? await ctx.members(organizationId) : [];
  const organization = await ctx.organizations.byId(organizationId);
  return async (tx: Writer, { id, url }: EndpointRow): Promise<void> => {
    if (!organization) return;
    for (const person of people) {
      const dedupeKey = `webhook-added:${id}:${randomToken(8)}:${person.id}`;
      await ctx.outbox.queueEmail(tx, webhookAddedEmail(person, organization, { host: hostOf(url), dedupeKey }));
    }
  };
}

/** All webhooks of an organization. @throws unauthenticated; not_found for other organizations */
export async function list(ctx: WebhookDeps, caller: Caller, organizationId: number): Promise<Endpoint[]> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const rows = await ctx.database.read(tenantScope(owner.id), (db) => webhooksSql.listEndpoints(db, owner.id));
  return rows.map(shown);
}

/** @throws unauthenticated; not_found for other organizations */
export async function read(ctx: WebhookDeps, caller: Caller, id: number): Promise<Endpoint> {
  const owner = await ownerOf(ctx, caller, id);
  return shown(await ctx.database.read(tenantOf(owner), (db) => afterwards(db, id)));
}

/**
 * Creates an endpoint; only this response has its secret.
 * @throws unauthenticated, also "Please confirm your password."; not_found for other organizations; invalid; conflict
 * when the organization has the maximum
 */
export async function add(
  ctx: WebhookDeps,
  caller: Caller,
  organizationId: number,
  { url, events, of_affiliates: ofAffiliates = false }: NewEndpoint,
): Promise<EndpointWithSecret> {
  const user = requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  ctx.accounts.requireRecentPassword(user);
  const { secret, sealed } = sealSecret(ctx.keys.webhookSecrets);
  const fresh = { organizationId: owner.id, url, events, ofAffiliates, secret: sealed, createdBy: user.userId };
  const notify = await prepareNotice(ctx, owner.id);
  const made = await ctx.database.write(tenantScope(owner.id), async (tx) => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const id = await webhooksSql.insertEndpoint(tx, fresh, words.ENDPOINTS_AT_MOST);
      if (id === null) continue;
      const row = await afterwards(tx, id);
      await record(ctx, tx, caller, row, 'added', { events, of_affiliates: ofAffiliates });
      await notify(tx, row);
      return shown(row);
    }
    throw problem('conflict', words.TOO_MANY_ENDPOINTS);
  });
  return { webhook_endpoint: made, secret };
}

/**
 * Changes the given fields; changing the address needs the password.
 * @throws unauthenticated, also "Please confirm your password."; not_found; invalid
 */
export async function change(
  ctx: WebhookDeps,
  caller: Caller,
  id: number,
  changes: EndpointChanges,
): Promise<Endpoint> {
  const owner = await ownerOf(ctx, caller, id);
  if (changes.url !== undefined) ctx.accounts.requireRecentPassword(requireUser(caller.actor));
  const notify = changes.url === undefined ? null : await prepareNotice(ctx, owner.organizationId);
  return ctx.database.write(tenantOf(owner), async (tx) => {
    const before = await locked(tx, id);
    if (Object.keys(changes).length > 0) await webhooksSql.updateEndpoint(tx, id, changes);
    const row = await afterwards(tx, id);
    await record(ctx, tx, caller, row, 'changed', {
      host_before: hostOf(before.url),
      events_before: before.events,
      events: row.events,
      of_affiliates_before: before.ofAffiliates,
      of_affiliates: row.ofAffiliates,
      active_before: before.active,
      active: row.active,
    });
    if (before.url !== row.url) await notify?.(tx, row);
    return shown(row);
  });
}

/** The current secret signs beside the new one for a day; an older one stops. @throws as `change` */
export async function rotateSecret(ctx: WebhookDeps, caller: Caller, id: number): Promise<EndpointWithSecret> {
  const owner = await ownerOf(ctx, caller, id);
  ctx.accounts.requireRecentPassword(requireUser(caller.actor));
  const { secret, sealed } = sealSecret(ctx.keys.webhookSecrets);
  const row = await ctx.database.write(tenantOf(owner), async (tx) => {
    await locked(tx, id);
    await webhooksSql.rotateSecret(tx, id, sealed, words.FORMER_SECRET_HOURS);
    const rotated = await afterwards(tx, id);
    await record(ctx, tx, caller, rotated, 'secret_rotated');
    return rotated;
  });
  return { webhook_endpoint: shown(row), secret };
}

/** Deletes an endpoint with its log. @throws unauthenticated; not_found */
export async function remove(ctx: WebhookDeps, caller: Caller, id: number): Promise<void> {
  const owner = await ownerOf(ctx, caller, id);
  await ctx.database.write(tenantOf(owner), async (tx) => {
    const row = await locked(tx, id);
    await webhooksSql.deleteEndpoint(tx, id);
    await record(ctx, tx, caller, row, 'deleted');
  });
}

/** Sent and waiting messages, newest first. @throws unauthenticated; not_found */
export async function deliveries(ctx: WebhookDeps, caller: Caller, id: number, query: DeliveriesQuery = {}) {
  const owner = await ownerOf(ctx, caller, id);
  const limit = query.limit ?? words.DELIVERIES_PER_PAGE;
  const rows = await ctx.database.read(tenantOf(owner), (db) =>
    deliveriesSql.listDeliveries(db, {
      endpointId: id,
      state: query.state ?? null,
      after: query.after ?? null,
      limit: limit + 1,
    }),
  );
  const { shown: page, next } = pageOf(rows, limit);
  return { deliveries: page.map((row) => present(words.delivery, row)), next };
}

async function deliveryOf(tx: Writer, endpointId: number, id: number): Promise<Delivery> {
  const row = await deliveriesSql.findDelivery(tx, endpointId, id);
  if (!row) throw notFound(words.DELIVERY_NOT_FOUND);
  return present(words.delivery, row);
}

async function lockedAndOn(tx: Writer, id: number): Promise<EndpointRow> {
  const row = await locked(tx, id);
  if (!row.active) throw problem('conflict', words.ENDPOINT_IS_OFF);
  return row;
}

/** Sends a test event. @throws unauthenticated; not_found; conflict for an endpoint that is off; too_many */
export async function test(ctx: WebhookDeps, caller: Caller, id: number): Promise<Delivery> {
  const owner = await ownerOf(ctx, caller, id);
  const bucket = `webhook-tests:${owner.organizationId}`;
  await ctx.limits.take({ bucket, limit: words.TESTS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  return ctx.database.write(tenantOf(owner), async (tx) => {
    const row = await lockedAndOn(tx, id);
    const deliveryId = await deliveriesSql.insertTest(tx, row);
    await deliveriesSql.endPause(tx, id);
    return deliveryOf(tx, id, deliveryId);
  });
}

/** Sends one again with the same id. @throws unauthenticated; not_found; conflict; too_many */
export async function replay(ctx: WebhookDeps, caller: Caller, id: number, deliveryId: number): Promise<Delivery> {
  const owner = await ownerOf(ctx, caller, id);
  const bucket = `webhook-replays:${owner.organizationId}`;
  await ctx.limits.take({ bucket, limit: words.REPLAYS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  return ctx.database.write(tenantOf(owner), async (tx) => {
    await lockedAndOn(tx, id);
    const isReplayed = await deliveriesSql.replayOne(tx, id, deliveryId);
    const delivery = await deliveryOf(tx, id, deliveryId);
    if (!isReplayed) throw problem('conflict', words.STILL_WAITING);
    await deliveriesSql.endPause(tx, id);
    return delivery;
  });
}

/** Sends all failed ones again. @throws unauthenticated; not_found; conflict, also when none has failed; too_many */
export async function replayFailed(ctx: WebhookDeps, caller: Caller, id: number): Promise<{ replayed: number }> {
  const owner = await ownerOf(ctx, caller, id);
  const bucket = `webhook-replays-of-all:${owner.organizationId}`;
  await ctx.limits.take({ bucket, limit: words.REPLAYS_OF_ALL_AN_HOUR, windowSeconds: HOUR_SECONDS });
  return ctx.database.write(tenantOf(owner), async (tx) => {
    const row = await lockedAndOn(tx, id);
    const replayed = await deliveriesSql.replayFailed(tx, id);
    if (replayed === 0) throw problem('conflict', words.NOTHING_FAILED);
    await deliveriesSql.endPause(tx, id);
    await record(ctx, tx, caller, row, 'replayed', { deliveries: replayed });
    return { replayed };
  });
}

/** Part of a nightly job: the log is kept for 30 days. Returns how many rows were deleted. */
export async function forgetOld(ctx: WebhookDeps): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await ctx.database.write(SYSTEM, (tx) =>
      deliveriesSql.deleteOld(tx, words.LOG_DAYS, DELETED_AT_A_TIME),
    );
    deleted += count;
    if (count < DELETED_AT_A_TIME) return deleted;
  }
}

export const createWebhookEndpoints = (deps: WebhookDeps) =>
  bind(deps, { list, read, add, change, rotateSecret, remove, deliveries, test, replay, replayFailed, forgetOld });

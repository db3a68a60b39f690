/**
 * Worker only: sends waiting messages at least once. One worker at a time takes an endpoint, so that a slow or failing receiver
 * delays no other, and gets only a few messages at the same time. Messages of a worker that died are due again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { addressProblems, isLocalhost } from '#src/features/webhooks/webhook-address.rules.ts';
import * as deliveriesSql from '#src/features/webhooks/webhook-deliveries.sql.ts';
import type { DueDelivery, TakenEndpoint } from '#src/features/webhooks/webhook-deliveries.sql.ts';
import { payloadOf } from '#src/features/webhooks/webhook-payloads.rules.ts';
import * as rules from '#src/features/webhooks/webhook-sending.rules.ts';
import { openSecret, signedHeaders } from '#src/features/webhooks/webhook-signing.service.ts';
import { SENDS_A_DAY, SENDS_A_MINUTE } from '#src/features/webhooks/webhooks.contract.ts';
import { webhookPausedEmail } from '#src/features/webhooks/webhooks.mail.tsx';
import type { Config } from '#src/platform/config/config.ts';
import type { JobObservation } from '#src/platform/jobs/pg-boss-jobs.ts';
import { mayTake, type Limits } from '#src/platform/limits/rate-limits.ts';
import { post, type OutgoingAnswer } from '#src/platform/outgoing/outgoing-call.ts';
import { lookupPublic, resolveName, type Resolve } from '#src/platform/outgoing/public-addresses.ts';
import { asWork, type WorkObservers } from '#src/platform/telemetry/work.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

const SENDER = { kind: 'system', why: 'the worker sends the webhooks of every organization' } as const;
/** One statement that reads nothing of a tenant. */
const ANY = { kind: 'public' } as const;
const POLL_EVERY_MS = 5_000;
/** How many endpoints a worker sends to at a time. Slow ones get at most half of them. */
const ENDPOINTS_AT_ONCE = 32;
const SLOW_AT_ONCE = 16;
/** How many messages one endpoint gets at a time, and how many are read for it. */
const MESSAGES_AT_A_TIME = 4;
const MESSAGES_A_ROUND = 20;
/** Longer than a round in which every message is slow. */
const TAKEN_SECONDS = 90;
const ANSWER_BYTES = 4_096;
/** How long an organization waits after its limit of a minute, and of a day. */
const MINUTE_IS_FULL_SECONDS = 10;
const DAY_IS_FULL_SECONDS = 600;
const PAUSE_EMAILS_A_DAY = 5;
const STOP_MS = 20_000;
/** The name of messages in metrics. */
const JOB = 'webhook.send';
const PAUSED = 'The webhook was paused before it was sent.';

type Member = { id: number; email: string; firstName: string };

export type WebhookSenderDeps = Pick<Platform, 'database' | 'outbox'> &
  WorkObservers & {
    limits: Pick<Limits, 'take'>;
    organizations: Pick<OrganizationService, 'byId'>;
    /** Recipients of an organization's emails. */
    members: (organizationId: number) => Promise<readonly Member[]>;
    keys: Pick<Keys, 'webhookSecrets'>;
    config: Pick<Config, 'baseDomain' | 'webhooksToLocalhost'>;
    origin: SiteOrigin;
    log: Record<'info' | 'error', (details: object, message: string) => void>;
    observeJob: (observation: JobObservation) => void;
    /** Tests use another resolver, and shorter timeouts. */
    resolve?: Resolve;
    attemptMs?: number;
    slowMs?: number;
  };

type Outcome = { isDelivered: boolean; isGone: boolean; ms: number };

function send(ctx: WebhookSenderDeps, endpoint: TakenEndpoint, message: DueDelivery): Promise<OutgoingAnswer> {
  const { keys, config, resolve = resolveName, attemptMs = rules.ATTEMPT_MS } = ctx;
  const { baseDomain, webhooksToLocalhost: toLocalhost } = config;
  // An address that was valid when it was entered may be refused now.
  const [problem] = addressProblems(endpoint.url, { baseDomain, toLocalhost });
  if (problem !== undefined) return Promise.reject(new Error(problem));
  const body = payloadOf(message);
  const sealed = [endpoint.secret, ...(endpoint.formerSecret ? [endpoint.formerSecret] : [])];
  const secrets = sealed.map((each) => openSecret(keys.webhookSecrets, each));
  return post({
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Sideline-Webhooks/1',
      ...signedHeaders(secrets, { id: message.eventId, atSeconds: Math.floor(Date.now() / 1000), body }),
    },
    body,
    lookup: toLocalhost && isLocalhost(endpoint.url) ? null : lookupPublic(resolve),
    timeoutMs: attemptMs,
    answerBytes: ANSWER_BYTES,
  });
}

function whyNot(error: unknown, attemptMs: number): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'TimeoutError' || error.name === 'AbortError'
    ? `No answer within ${attemptMs / 1000} seconds.`
    : error.message;
}

/** One attempt, recorded as soon as it ends. */
async function attempt(ctx: WebhookSenderDeps, endpoint: TakenEndpoint, message: DueDelivery): Promise<Outcome> {
  const started = performance.now();
  const answer = await send(ctx, endpoint, message).catch((error: unknown) => ({
    status: null,
    text: whyNot(error, ctx.attemptMs ?? rules.ATTEMPT_MS),
  }));
  const ms = Math.round(performance.now() - started);
  const isDelivered = answer.status !== null && rules.isDelivered(answer.status);
  await ctx.database.write(SENDER, (tx) =>
    deliveriesSql.recordAttempt(tx, {
      id: message.id,
      attempts: message.attempts,
      isDelivered,
      status: answer.status,
      durationMs: ms,
      answer: rules.shortened(answer.text),
      againSeconds: rules.pauseAfter(message.attempts + 1, Math.random()),
    }),
  );
  const waitedMs = Math.max(0, Date.now() - message.dueAt.getTime() - ms);
  ctx.observeJob({ job: JOB, outcome: isDelivered ? 'done' : 'failed', ms, waitedMs });
  return { isDelivered, isGone: answer.status === rules.GONE, ms };
}

/**
 * Switches off an endpoint that has failed for days or refuses messages permanently, and emails its organization's
 * members. As it can be switched on again at any time, they get only a few emails a day.
 */
async function pause(ctx: WebhookSenderDeps, { id, organizationId, url }: TakenEndpoint): Promise<void> {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) return;
  const host = await hostLabelOf(ctx.organizations, organization);
  const link = siteUrl(ctx.origin, host, `/${organization.domainName}/webhooks/${id}`);
  const people = await ctx.members(organizationId);
  const emailLimit = {
    bucket: `webhook-paused:${organizationId}`,
    limit: PAUSE_EMAILS_A_DAY,
    windowSeconds: DAY_SECONDS,
  };
  const maySend = await mayTake(ctx.limits, emailLimit);
  const pausedAt = new Date();
  const isPaused = await ctx.database.write(SENDER, async (tx) => {
    if (!(await deliveriesSql.pauseFailing(tx, id))) return false;
    await deliveriesSql.failWaiting(tx, id, PAUSED);
    for (const person of maySend ? people : []) {
      const dedupeKey = `webhook-paused:${id}:${pausedAt.getTime()}:${person.id}`;
      const email = webhookPausedEmail(person, organization, { host: new URL(url).host, link, dedupeKey });
      await ctx.outbox.queueEmail(tx, email, { onBehalfOf: person.id });
    }
    return true;
  });
  if (isPaused) ctx.log.info({ webhookId: id, organizationId }, 'a webhook is paused');
}

/**
 * Sends these messages, some at a time. After a failure no other starts, and after a slow one none in the place of a
 * fast receiver.
 */
async function sendSome(
  ctx: WebhookSenderDeps,
  endpoint: TakenEndpoint,
  messages: readonly DueDelivery[],
  mayGoOn: () => boolean,
): Promise<Outcome[]> {
  const { slowMs = rules.SLOW_MS } = ctx;
  const outcomes: Outcome[] = [];
  const isEnough = ({ isDelivered, ms }: Outcome) => !isDelivered || (ms > slowMs && !endpoint.isSlow);
  const next = messages[Symbol.iterator]();
  const sendOneByOne = async () => {
    for (const message of next) {
      if (!mayGoOn() || outcomes.some(isEnough)) return;
      outcomes.push(await attempt(ctx, endpoint, message));
    }
  };
  await Promise.all(Array.from({ length: MESSAGES_AT_A_TIME }, sendOneByOne));
  return outcomes;
}

/** A round in logs and traces. */
const workOf = ({ begin, countWork }: WebhookSenderDeps, { id }: TakenEndpoint) => ({
  begin,
  countWork,
  name: JOB,
  facts: { 'sideline.webhook_id': id },
  origin: { requestId: `webhook-${id}`, traceparent: null },
});

/** Takes from the limits of a minute and of a day. @returns how long to wait, in seconds; 0 when it may be sent */
async function waitFor({ limits }: WebhookSenderDeps, bucket: string, cost: number): Promise<number> {
  if (cost === 0) return 0;
  const minute = { bucket: `${bucket}:minute`, limit: SENDS_A_MINUTE, windowSeconds: 60, cost };
  if (!(await mayTake(limits, minute))) return MINUTE_IS_FULL_SECONDS;
  const day = { bucket, limit: SENDS_A_DAY, windowSeconds: DAY_SECONDS, cost };
  return (await mayTake(limits, day)) ? 0 : DAY_IS_FULL_SECONDS;
}

/**
 * The messages that may be sent now, those of the organization itself first. Affiliates have limits of their own, so that a
 * busy one neither uses up nor delays its parent's. `waitSeconds`: until the organization may send its own again.
 */
async function takeMessages(
  ctx: WebhookSenderDeps,
  { id, organizationId, failures }: TakenEndpoint,
): Promise<{ messages: DueDelivery[]; waitSeconds: number }> {
  // A failing endpoint is tested with one message.
  const limit = failures > 0 ? 1 : MESSAGES_A_ROUND;
  const due = await ctx.database.read(SENDER, (db) => deliveriesSql.listDue(db, id, limit));
  const bucket = `webhooks:${organizationId}`;
  const own = due.filter(({ isOfAffiliate }) => !isOfAffiliate);
  const waitSeconds = await waitFor(ctx, bucket, own.length);
  const messages = waitSeconds === 0 ? own : [];
  const below = due.filter(({ isOfAffiliate }) => isOfAffiliate).slice(0, limit - messages.length);
  if ((await waitFor(ctx, `${bucket}:affiliates`, below.length)) === 0) messages.push(...below);
  return { messages, waitSeconds };
}

/** A round at one endpoint. Returns how many messages it sent. */
async function serve(ctx: WebhookSenderDeps, endpoint: TakenEndpoint, mayGoOn: () => boolean): Promise<number> {
  const { id, failures } = endpoint;
  const { slowMs = rules.SLOW_MS } = ctx;
  const { messages, waitSeconds } = await takeMessages(ctx, endpoint);
  const outcomes = await sendSome(ctx, endpoint, messages, mayGoOn);
  if (outcomes.length === 0) {
    await ctx.database.write(SENDER, (tx) => deliveriesSql.postponeEndpoint(tx, id, waitSeconds));
    return 0;
  }
  const wentWell = outcomes.some(({ isDelivered }) => isDelivered);
  await ctx.database.write(SENDER, (tx) =>
    deliveriesSql.releaseEndpoint(tx, id, {
      wentWell,
      wasSlow: outcomes.some(({ ms }) => ms > slowMs),
      pauseSeconds: rules.pauseOfEndpoint(failures + 1),
    }),
  );
  const isGone = outcomes.some((outcome) => outcome.isGone);
  if (!wentWell && (isGone || endpoint.failingSeconds >= rules.PAUSED_AFTER_SECONDS)) await pause(ctx, endpoint);
  return outcomes.length;
}

/** Sends once started; `sendDue` sends what is due now. */
export function createWebhookSender(ctx: WebhookSenderDeps) {
  const busy = new Map<number, { isSlow: boolean; round: Promise<number> }>();
  let hasEnded = false;
  let hasTrouble = false;
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<unknown> = Promise.resolve();

  /** Logs an error once until it is over. */
  function logTrouble(error: unknown): number {
    if (!hasTrouble) ctx.log.error({ err: error }, 'sending webhooks has trouble');
    hasTrouble = true;
    return 0;
  }

  /** Starts a round at each endpoint that there is a place for. */
  async function take(): Promise<Promise<number>[]> {
    const slow = [...busy.values()].filter(({ isSlow }) => isSlow).length;
    const places = { limit: ENDPOINTS_AT_ONCE - busy.size, slowLimit: SLOW_AT_ONCE - slow, seconds: TAKEN_SECONDS };
    if (places.limit <= 0 || !(await ctx.database.read(ANY, deliveriesSql.areDue))) return [];
    const taken = await ctx.database.write(SENDER, (tx) => deliveriesSql.takeEndpoints(tx, places));
    return taken.map((endpoint) => {
      const round = asWork(workOf(ctx, endpoint), () => serve(ctx, endpoint, () => !hasEnded))
        .catch(logTrouble)
        .finally(() => busy.delete(endpoint.id));
      busy.set(endpoint.id, { isSlow: endpoint.isSlow, round });
      return round;
    });
  }

  async function poll(): Promise<void> {
    try {
      const rounds = await take();
      hasTrouble = false;
      // An endpoint with more messages does not wait for the next poll.
      for (const round of rounds) void round.then((count) => count >= MESSAGES_A_ROUND && pollNow());
    } catch (error) {
      logTrouble(error);
    }
    plan();
  }

  function plan(): void {
    if (!hasEnded) timer = setTimeout(begin, POLL_EVERY_MS);
  }

  function begin(): void {
    polling = poll();
  }

  function pollNow(): void {
    if (hasEnded || timer === null) return;
    clearTimeout(timer);
    timer = null;
    begin();
  }

  return {
    start: begin,
    /** Sends what is due now, one round at each endpoint; returns how many messages. */
    async sendDue(): Promise<number> {
      const counts = await Promise.all(await take());
      return counts.reduce((sum, count) => sum + count, 0);
    },
    /** Takes no more, and waits for running attempts (20 s at most). */
    async close(): Promise<void> {
      hasEnded = true;
      if (timer) clearTimeout(timer);
      const all = polling.then(() => Promise.all([...busy.values()].map(({ round }) => round)));
      await Promise.race([all, sleep(STOP_MS, null, { ref: false })]);
    },
  };
}

/**
 * The inbox of the card provider's events. Signed events are stored and acknowledged immediately; a job then asks the provider
 * for the status of their charge.
 */
import { readEventJob } from '#src/features/refunds/refunds.jobs.ts';
import * as disputesSql from '#src/features/refunds/disputes.sql.ts';
import type { ChargeStatusService } from '#src/features/refunds/charge-status.service.ts';
import { BAD_SIGNATURE, EVENT_NOT_STORED } from '#src/features/refunds/refunds.contract.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { ProviderEvent, ReadProviderEvent } from '#src/platform/payments/provider-events.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

const INBOX = { kind: 'system', why: 'the provider’s signature was checked; the event names no seller' } as const;
const SWEEP_AT_MOST = 50;
const CATCH_UP_MS = 72 * 3_600_000;

type ProviderEventDeps = Pick<Platform, 'database' | 'jobs' | 'clock'> & {
  log: { error(details: object, message: string): void };
  chargeStatus: ChargeStatusService;
  payments: Pick<PaymentProvider, 'eventsSince'>;
  /** Null without a signing secret: then no event is accepted. */
  readProviderEvent: ReadProviderEvent | null;
};
export type ProviderEventService = ReturnType<typeof createProviderEvents>;

async function store(ctx: ProviderEventDeps, event: ProviderEvent): Promise<void> {
  await ctx.database.write(INBOX, async (tx) => {
    const isNew = await disputesSql.insertEvent(tx, event);
    if (isNew && event.chargeRef !== null) await ctx.jobs.enqueue(tx, readEventJob, { eventId: event.id });
  });
}

export async function read(ctx: ProviderEventDeps, eventId: string): Promise<void> {
  const waiting = await ctx.database.read(INBOX, async (db) => {
    const event = await disputesSql.findWaiting(db, eventId);
    return event && { ...event, now: await disputesSql.databaseNow(db) };
  });
  if (!waiting) return;
  try {
    await ctx.chargeStatus.checkCharge(waiting.chargeRef);
    await ctx.database.write(INBOX, (tx) => disputesSql.markProcessed(tx, waiting.chargeRef, waiting.now));
  } catch (error) {
    await ctx.database.write(INBOX, (tx) => disputesSql.markTried(tx, eventId, String(error).slice(0, 300)));
    throw error;
  }
}

/**
 * Stores an event; one that was received before changes nothing.
 * @throws bad_request for a wrong or old signature, before anything is looked up; unavailable when it could not be stored
 */
export async function receive(ctx: ProviderEventDeps, rawBody: Buffer, signature: string | undefined): Promise<void> {
  const event = ctx.readProviderEvent?.(rawBody, signature) ?? null;
  if (!event) throw problem('bad_request', BAD_SIGNATURE);
  try {
    await store(ctx, event);
  } catch (cause) {
    throw problem('unavailable', EVENT_NOT_STORED, { cause, retryAfterSeconds: 30 });
  }
}

/** Fetches events of the last three days that never reached us (fault F10). */
export async function catchUp(ctx: ProviderEventDeps): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - CATCH_UP_MS);
  for (const event of (await ctx.payments.eventsSince?.(since)) ?? []) await store(ctx, event);
}

/** Processes forgotten events. One that fails does not stop the others. */
export async function sweep(ctx: ProviderEventDeps): Promise<void> {
  const [events, charges] = await ctx.database.read(INBOX, async (db) => [
    await disputesSql.listForgotten(db, SWEEP_AT_MOST),
    await disputesSql.listWithoutFee(db, SWEEP_AT_MOST),
  ]);
  const tasks = [
    ...events.map((id) => () => read(ctx, id)),
    ...charges.map((ref) => () => ctx.chargeStatus.checkCharge(ref)),
  ];
  for (const task of tasks)
    await task().catch((error: unknown) =>
      ctx.log.error({ err: error }, 'an event of the card provider could not be read'),
    );
}

export const createProviderEvents = (deps: ProviderEventDeps) => bind(deps, { read, receive, catchUp, sweep });

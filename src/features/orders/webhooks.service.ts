/**
 * The inbox of the card provider's events. What is signed is kept and answered at once; what it means is found out by a
 * job, which asks the provider how the charge stands.
 */
import { readEventJob } from '#src/features/orders/webhooks.jobs.ts';
import * as disputesSql from '#src/features/orders/disputes.sql.ts';
import type { Reconciliation } from '#src/features/orders/reconciliation.service.ts';
import { BAD_SIGNATURE, EVENT_NOT_KEPT } from '#src/features/orders/webhooks.contract.ts';
import * as webhooksSql from '#src/features/orders/webhooks.sql.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { ReadProviderEvent } from '#src/platform/payments/provider-events.ts';
import { problem } from '#src/shared/problem.ts';

const INBOX = { kind: 'system', why: 'the provider’s signature was checked; the event names no seller' } as const;
const SWEEP_AT_MOST = 50;

export type WebhookDeps = {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  log: { error(details: object, message: string): void };
  reconciliation: Reconciliation;
  /** Null where no signing secret is set: then no event is believed. */
  readProviderEvent: ReadProviderEvent | null;
};
export type WebhookService = ReturnType<typeof createWebhooks>;

export function createWebhooks({ database, jobs, log, reconciliation, readProviderEvent }: WebhookDeps) {
  async function read(eventId: string): Promise<void> {
    const waiting = await database.read(INBOX, async (db) => {
      const event = await webhooksSql.findWaiting(db, eventId);
      return event && { ...event, now: await webhooksSql.databaseNow(db) };
    });
    if (!waiting) return;
    try {
      await reconciliation.lookAt(waiting.chargeRef);
      await database.write(INBOX, (tx) => webhooksSql.markProcessed(tx, waiting.chargeRef, waiting.now));
    } catch (error) {
      await database.write(INBOX, (tx) => webhooksSql.markTried(tx, eventId, String(error).slice(0, 300)));
      throw error;
    }
  }

  return {
    read,

    /**
     * Keeps an event; one that was heard before changes nothing.
     * @throws bad_request for a wrong or old signature, before anything is looked up; unavailable when it could not be kept
     */
    async hear(rawBody: Buffer, signature: string | undefined): Promise<void> {
      const event = readProviderEvent?.(rawBody, signature) ?? null;
      if (!event) throw problem('bad_request', BAD_SIGNATURE);
      try {
        await database.write(INBOX, async (tx) => {
          const isNew = await webhooksSql.insertEvent(tx, event);
          if (isNew && event.chargeRef !== null) await jobs.enqueue(tx, readEventJob, { eventId: event.id });
        });
      } catch (cause) {
        throw problem('unavailable', EVENT_NOT_KEPT, { cause, retryAfterSeconds: 30 });
      }
    },

    /** Takes up what was forgotten. One that fails does not stop the others. */
    async sweep(): Promise<void> {
      const [events, charges] = await database.read(INBOX, async (db) => [
        await webhooksSql.listForgotten(db, SWEEP_AT_MOST),
        await disputesSql.listWithoutFee(db, SWEEP_AT_MOST),
      ]);
      const tasks = [...events.map((id) => () => read(id)), ...charges.map((ref) => () => reconciliation.lookAt(ref))];
      for (const task of tasks)
        await task().catch((error: unknown) =>
          log.error({ err: error }, 'an event of the card provider could not be read'),
        );
    },
  };
}

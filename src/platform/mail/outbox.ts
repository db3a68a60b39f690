/**
 * Letters are written in the transaction of what they tell about and sent by the worker
 * afterwards, so that a mail server that is down stops no business (fault F33). Each is sent at
 * least once, under a Message-ID that makes a second one recognizable.
 */
import { z } from 'zod';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';
import { checkHeaders } from '#src/platform/mail/letter-message.ts';
import type { Letter, PostOffice } from '#src/platform/mail/mail.ts';
import * as outboxSql from '#src/platform/mail/outbox.sql.ts';

/** Letters have no tenant, and one statement needs no transaction; a letter marked twice after a lost session is the same. */
const ONE_LETTER = { kind: 'public' } as const;
const OUTBOX = { kind: 'system', why: 'letters wait for the worker, whoever they are for' } as const;
/** Longer than all retries together (about 55 minutes), so that the sweep finds only what was given up. */
const OVERDUE_SECONDS = 70 * 60;
const GIVE_UP_SECONDS = 4 * 86_400;

const sendPayload = z.strictObject({ letterId: z.number().int() });

/** Sends one letter. A mail server that is down for an hour is waited for. */
export const sendLetterJob: JobDefinition<{ letterId: number }> = {
  name: 'mail.send',
  parse: (payload) => sendPayload.parse(payload),
  retryLimit: 10,
  retryDelaySeconds: 5,
  expireInSeconds: 120,
  // Nobody misses a letter for a second, and taking each by itself costs more than sending it.
  batch: { size: 20, everySeconds: 1 },
};

/** Queues again what was given up, every hour for four days. */
export const sweepOutboxJob: JobDefinition<null> = {
  name: 'mail.sweep',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
  schedule: '7 * * * *',
};

export type Outbox = {
  /**
   * Queues a letter; it will be sent if and only if the transaction commits, and once per dedupe key. One of very many waits
   * `afterSeconds`, so that nobody else's stands behind them. One `onBehalfOf` a user whose own address is not proven waits for
   * the proof (decision 53). @throws invalid for addresses and subjects that would break a header.
   */
  queueLetter(tx: Writer, letter: Letter, options?: { afterSeconds?: number; onBehalfOf?: number }): Promise<void>;
  /** The address of a user is proven: what was written on their behalf is sent. */
  release(tx: Writer, userId: number): Promise<void>;
  /** What waits for a user's proof is never sent: it may be the words of a stranger. */
  dropHeld(tx: Writer, userId: number): Promise<void>;
  /** Takes away to whom letters were sent, by their dedupe keys; they are never sent again. */
  forgetLetters(tx: Writer, dedupeKeys: readonly string[]): Promise<void>;
  /** Handler of `sendLetterJob`. Rejects when the post office did not take the letter. */
  sendLetter(letterId: number): Promise<void>;
  /** Handler of `sweepOutboxJob`; answers how many it queued again. */
  sweep(): Promise<number>;
};

export function createOutbox(deps: { database: Database; jobs: Jobs; postOffice: PostOffice }): Outbox {
  const { database, jobs, postOffice } = deps;
  const enqueue = (tx: Writer, letterId: number, afterSeconds = 0) =>
    jobs.enqueue(
      tx,
      sendLetterJob,
      { letterId },
      { singletonKey: String(letterId), ...(afterSeconds > 0 ? { startAfterSeconds: afterSeconds } : {}) },
    );
  return {
    async queueLetter(tx, letter, { afterSeconds = 0, onBehalfOf } = {}) {
      checkHeaders(letter);
      const kept = await outboxSql.insertLetter(tx, letter, onBehalfOf ?? null);
      if (kept !== null && !kept.isHeld) await enqueue(tx, kept.id, afterSeconds);
    },

    async release(tx, userId) {
      for (const letterId of await outboxSql.releaseLetters(tx, userId)) await enqueue(tx, letterId);
    },

    dropHeld: outboxSql.deleteHeldLetters,

    async forgetLetters(tx, dedupeKeys) {
      if (dedupeKeys.length > 0) await outboxSql.forgetLetters(tx, dedupeKeys);
    },

    async sendLetter(letterId) {
      const letter = await database.read(ONE_LETTER, (db) => outboxSql.findUnsentLetter(db, letterId));
      if (!letter) return;
      try {
        await postOffice.deliver(letter);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        await database.write(OUTBOX, (tx) => outboxSql.recordFailure(tx, letterId, reason.slice(0, 500)));
        throw error;
      }
      await database.read(ONE_LETTER, (db) => outboxSql.markSent(db, letterId));
    },

    async sweep() {
      return database.write(OUTBOX, async (tx) => {
        const overdue = await outboxSql.listOverdueLetters(tx, {
          olderThanSeconds: OVERDUE_SECONDS,
          youngerThanSeconds: GIVE_UP_SECONDS,
        });
        for (const letterId of overdue) await enqueue(tx, letterId);
        return overdue.length;
      });
    },
  };
}

/** Starts sending in the worker. */
export async function startMail(jobs: Jobs, outbox: Outbox): Promise<void> {
  await jobs.work(sendLetterJob, { concurrency: 2 }, ({ letterId }) => outbox.sendLetter(letterId));
  await jobs.work(sweepOutboxJob, { concurrency: 1 }, async () => void (await outbox.sweep()));
}

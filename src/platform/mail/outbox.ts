/**
 * Emails are written in the transaction of what they report and sent by the worker
 * afterwards, so that a mail server that is down stops no business (fault F33). Each is sent at
 * least once, under a Message-ID that makes a second one recognizable.
 */
import { z } from 'zod';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { clockJob, payloadJob, type Jobs } from '#src/platform/jobs/jobs.ts';
import { checkHeaders, type Email, type MailTransport } from '#src/platform/mail/mail.ts';
import * as outboxSql from '#src/platform/mail/outbox.sql.ts';

/** Emails have no tenant, and one statement needs no transaction; an email marked twice after a lost session is the same. */
const ONE_EMAIL = { kind: 'public' } as const;
const OUTBOX = { kind: 'system', why: 'the worker sends the emails of all tenants' } as const;
/** Longer than all retries together (about 55 minutes), so that the sweep finds only what was given up. */
const OVERDUE_SECONDS = 70 * 60;
const GIVE_UP_SECONDS = 4 * 86_400;

/** Sends one email. Waits for a mail server that is down for an hour. `letterId` is the name in jobs that wait in the database. */
export const sendEmailJob = payloadJob('mail.send', z.strictObject({ letterId: z.number().int() }), {
  retryLimit: 10,
  retryDelaySeconds: 5,
  expireInSeconds: 120,
  // A second's delay does not matter, and taking each job separately costs more than sending its email.
  batch: { size: 20, everySeconds: 1 },
});

/** Queues again what was given up, every hour for four days. */
export const sweepOutboxJob = clockJob('mail.sweep', '7 * * * *');

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(deps: { database: Database; jobs: Jobs; mailTransport: MailTransport }) {
  const { database, jobs, mailTransport } = deps;
  const enqueue = (tx: Writer, emailId: number, afterSeconds = 0) =>
    jobs.enqueue(
      tx,
      sendEmailJob,
      { letterId: emailId },
      { singletonKey: String(emailId), ...(afterSeconds > 0 ? { startAfterSeconds: afterSeconds } : {}) },
    );
  return {
    /**
     * Queues an email; it will be sent if and only if the transaction commits, and once per dedupe key. One of very many waits
     * `afterSeconds`, so that other emails do not wait behind them. One `onBehalfOf` a user whose own address is not proven waits for
     * the proof (rule 53). @throws invalid for addresses and subjects that would break a header.
     */
    async queueEmail(
      tx: Writer,
      email: Email,
      { afterSeconds = 0, onBehalfOf }: { afterSeconds?: number; onBehalfOf?: number } = {},
    ) {
      checkHeaders(email);
      const kept = await outboxSql.insertEmail(tx, email, onBehalfOf ?? null);
      if (kept !== null && !kept.isHeld) await enqueue(tx, kept.id, afterSeconds);
    },

    /** Sends the emails that waited for the proof of a user's address. */
    async release(tx: Writer, userId: number) {
      for (const emailId of await outboxSql.releaseEmails(tx, userId)) await enqueue(tx, emailId);
    },

    /** Deletes the emails that wait for a user's proof: a stranger may have written them. */
    dropHeld: outboxSql.deleteHeldEmails,

    /** Erases the recipients of emails, by their dedupe keys; they are never sent again. */
    async forgetEmails(tx: Writer, dedupeKeys: readonly string[]) {
      if (dedupeKeys.length > 0) await outboxSql.forgetEmails(tx, dedupeKeys);
    },

    /** Handler of `sendEmailJob`. Rejects when the mail transport did not take the email. */
    async sendEmail(emailId: number) {
      const email = await database.read(ONE_EMAIL, (db) => outboxSql.findUnsentEmail(db, emailId));
      if (!email) return;
      try {
        await mailTransport.deliver(email);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        await database.write(OUTBOX, (tx) => outboxSql.recordFailure(tx, emailId, reason.slice(0, 500)));
        throw error;
      }
      await database.read(ONE_EMAIL, (db) => outboxSql.markSent(db, emailId));
    },

    /** Handler of `sweepOutboxJob`; returns how many it queued again. */
    async sweep() {
      return database.write(OUTBOX, async (tx) => {
        const overdue = await outboxSql.listOverdueEmails(tx, {
          olderThanSeconds: OVERDUE_SECONDS,
          youngerThanSeconds: GIVE_UP_SECONDS,
        });
        for (const emailId of overdue) await enqueue(tx, emailId);
        return overdue.length;
      });
    },
  };
}

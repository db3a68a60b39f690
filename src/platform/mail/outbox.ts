/**
 * Emails are written in the transaction of what they report and sent by the worker afterwards (`email-sender.ts`), so
 * that a mail server that is down interrupts no business (fault F33).
 */
import type { Writer } from '#src/platform/db/db.ts';
import { checkHeaders, type Email } from '#src/platform/mail/mail.ts';
import * as outboxSql from '#src/platform/mail/outbox.sql.ts';
import { originOfNow } from '#src/platform/telemetry/work.ts';

export type Outbox = typeof outbox;

export const outbox = {
  /**
   * Queues an email, once per dedupe key, if and only if the transaction commits. One of very many is delayed by
   * `afterSeconds`, so that other emails do not wait behind them. One `onBehalfOf` a user whose own address is not
   * proven waits for the proof (rule 53). @throws invalid for addresses and subjects that would break a header.
   */
  async queueEmail(
    tx: Writer,
    email: Email,
    { afterSeconds = 0, onBehalfOf = null }: { afterSeconds?: number; onBehalfOf?: number | null } = {},
  ) {
    checkHeaders(email);
    await outboxSql.insertEmail(tx, email, { afterSeconds, onBehalfOf, origin: originOfNow() });
  },

  /**
   * The same for many, `aSecond` of them due in each second, so that other emails do not wait behind them. The first
   * `behind` are already queued. One statement.
   */
  async queueEmails(
    tx: Writer,
    emails: readonly Email[],
    { aSecond, behind = 0 }: { aSecond: number; behind?: number },
  ) {
    for (const email of emails) checkHeaders(email);
    if (emails.length > 0) await outboxSql.insertEmails(tx, emails, { aSecond, behind, origin: originOfNow() });
  },

  /** Replaces subject and text of an email that this transaction has queued. */
  async rewriteEmail(tx: Writer, email: Email) {
    checkHeaders(email);
    await outboxSql.rewriteEmail(tx, email);
  },

  /** Sends the emails that waited for the proof of a user's address. */
  release: outboxSql.releaseEmails,

  /** Deletes the emails that wait for a user's proof: someone else may have written them. */
  dropHeld: outboxSql.deleteHeldEmails,

  /** Erases the recipients of emails, by their dedupe keys; they are never sent again. */
  async forgetEmails(tx: Writer, dedupeKeys: readonly string[]) {
    if (dedupeKeys.length > 0) await outboxSql.forgetEmails(tx, dedupeKeys);
  },

  /** Forgets an email, so that another one may have its dedupe key. */
  async replaceEmail(tx: Writer, dedupeKey: string) {
    await outboxSql.forgetEmails(tx, [dedupeKey]);
    await outboxSql.freeDedupeKey(tx, dedupeKey);
  },
};

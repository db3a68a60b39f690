import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { Email } from '#src/platform/mail/mail.ts';

/**
 * Keeps an email to be sent; null when one with its dedupe key is there already. It is held when the user on whose behalf it was
 * written has not proven their own address; a proof that is under way is waited for.
 */
export async function insertEmail(tx: Writer, email: Email, onBehalfOf: number | null) {
  const { rows } = await sql<{ id: number; isHeld: boolean }>`${prepared}
    insert into mail_outbox (dedupe_key, recipient, reply_to, subject, html, body_text, held_for)
    values (${email.dedupeKey}, ${email.to}, ${email.replyTo ?? null}, ${email.subject}, ${email.html}, ${email.text},
            (select id from users where id = ${onBehalfOf}::bigint and email_proven_at is null for share))
    on conflict (dedupe_key) do nothing
    returning id, held_for is not null as "isHeld"`.execute(tx);
  return rows[0] ?? null;
}

/** Emails that waited for a user's proof; they count as written now. Returns their ids. */
export async function releaseEmails(tx: Writer, userId: number): Promise<number[]> {
  const rows = await tx
    .updateTable('mail_outbox')
    .set({ held_for: null, created_at: sql<Date>`now()` })
    .where('held_for', '=', userId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes emails that waited for a user's proof. */
export async function deleteHeldEmails(tx: Writer, userId: number): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('held_for', '=', userId).execute();
}

export async function findUnsentEmail(db: Reader, id: number): Promise<Email | null> {
  const row = await db
    .selectFrom('mail_outbox')
    .modifyFront(prepared)
    .select(['dedupe_key', 'recipient', 'reply_to', 'subject', 'html', 'body_text'])
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('held_for', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    dedupeKey: row.dedupe_key,
    to: row.recipient,
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
    subject: row.subject,
    html: row.html,
    text: row.body_text,
  };
}

/** The row stays, so that the email is not queued again; its text goes, because it may hold links that open things. */
export async function markSent(db: Reader, id: number): Promise<void> {
  await sql`${prepared}
    update mail_outbox set sent_at = now(), attempts = attempts + 1, last_error = null, html = '', body_text = ''
     where id = ${id} and sent_at is null`.execute(db);
}

/** Erases the recipients and the text of emails. */
export async function forgetEmails(tx: Writer, dedupeKeys: readonly string[]): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({
      recipient: 'forgotten',
      reply_to: null,
      subject: '',
      html: '',
      body_text: '',
      sent_at: sql<Date>`coalesce(sent_at, now())`,
    })
    .where('dedupe_key', 'in', [...dedupeKeys])
    .execute();
}

export async function recordFailure(tx: Writer, id: number, error: string): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ attempts: sql`attempts + 1`, last_error: error })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** Emails that wait for longer than usual but not for days: oldest first, at most 500. */
export async function listOverdueEmails(db: Reader, options: { olderThanSeconds: number; youngerThanSeconds: number }) {
  const rows = await db
    .selectFrom('mail_outbox')
    .select('id')
    .where('sent_at', 'is', null)
    .where('held_for', 'is', null)
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${options.olderThanSeconds}::float8)`)
    .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${options.youngerThanSeconds}::float8)`)
    .orderBy('created_at')
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}

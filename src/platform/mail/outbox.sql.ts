import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import { LAST_EMAIL, type Email } from '#src/platform/mail/mail.ts';
import type { Origin } from '#src/platform/telemetry/work.ts';

/**
 * Inserts an email to be sent after this many seconds, unless one with its dedupe key exists already. It is held while
 * the user on whose behalf it was written has not proven their own address; a proof in progress is waited for.
 */
export async function insertEmail(
  tx: Writer,
  email: Email,
  { afterSeconds, onBehalfOf, origin }: { afterSeconds: number; onBehalfOf: number | null; origin: Origin | null },
): Promise<void> {
  await sql`${prepared}
    insert into mail_outbox (dedupe_key, recipient, reply_to, subject, html, body_text, due_at, held_for,
                             request_id, traceparent, unsubscribe_url)
    values (${email.dedupeKey}, ${email.to}, ${email.replyTo ?? null}, ${email.subject}, ${email.html}, ${email.text},
            now() + make_interval(secs => ${afterSeconds}::float8),
            (select id from users where id = ${onBehalfOf}::bigint and email_proven_at is null for share),
            ${origin?.requestId ?? null}, ${origin?.traceparent ?? null}, ${email.unsubscribeUrl ?? null})
    on conflict (dedupe_key) do nothing`.execute(tx);
}

/** Inserts many emails in one statement, a number of them to be sent in each second, from when those before them are. */
export async function insertEmails(
  tx: Writer,
  emails: readonly Email[],
  { aSecond, behind, origin }: { aSecond: number; behind: number; origin: Origin | null },
): Promise<void> {
  const rows = emails.map((email, at) => ({
    ...email,
    replyTo: email.replyTo ?? null,
    unsubscribeUrl: email.unsubscribeUrl ?? null,
    afterSeconds: Math.floor((behind + at) / aSecond),
  }));
  await sql`
    insert into mail_outbox (dedupe_key, recipient, reply_to, subject, html, body_text, due_at, request_id, traceparent, unsubscribe_url)
    select "dedupeKey", "to", "replyTo", subject, html, text, now() + make_interval(secs => "afterSeconds"),
           ${origin?.requestId ?? null}, ${origin?.traceparent ?? null}, "unsubscribeUrl"
      from json_to_recordset(${JSON.stringify(rows)}::json) as written ("dedupeKey" text, "to" text, "replyTo" text, subject text,
           html text, text text, "afterSeconds" float8, "unsubscribeUrl" text)
    on conflict (dedupe_key) do nothing`.execute(tx);
}

/** Of an email that this transaction has queued: no worker can have taken it. */
export async function rewriteEmail(tx: Writer, { dedupeKey, subject, html, text }: Email): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ subject, html, body_text: text })
    .where('dedupe_key', '=', dedupeKey)
    .execute();
}

/** Emails that waited for a user's proof; they count as written now. */
export async function releaseEmails(tx: Writer, userId: number): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ held_for: null, created_at: sql<Date>`now()`, due_at: sql<Date>`now()` })
    .where('held_for', '=', userId)
    .execute();
}

/** Deletes emails that waited for a user's proof. */
export async function deleteHeldEmails(tx: Writer, userId: number): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('held_for', '=', userId).execute();
}

/** An email that a worker has claimed for its attempt number `attempts`; it was due at `dueAt`. */
export type TakenEmail = { id: number; attempts: number; dueAt: Date; email: Email; traceparent: string | null };

const IS_DUE = 'due_at <= now() and sent_at is null and held_for is null';

/** Finds a row if an email is due. */
export const DUE_EMAIL = `select from mail_outbox where ${IS_DUE}`;

/**
 * Claims up to `limit` emails that are due, longest due first, for `seconds`, and twice as long or more after each
 * earlier attempt (an hour at most): an email that crashes its worker is retried less and less often, and those claimed
 * with it are not due at the same moment. Emails that another worker is claiming are skipped.
 */
export async function takeDueEmails(
  db: Reader,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<TakenEmail[]> {
  const { rows } = await sql<{
    id: number;
    attempts: number;
    dueAt: Date;
    dedupeKey: string;
    recipient: string;
    replyTo: string | null;
    subject: string;
    html: string;
    text: string;
    requestId: string | null;
    traceparent: string | null;
    unsubscribeUrl: string | null;
  }>`${prepared}
    with due as materialized (
      select id, due_at from mail_outbox
       where ${sql.raw(IS_DUE)}
       order by due_at limit ${limit} for update skip locked)
    update mail_outbox m
       set attempts = m.attempts + 1, failed_at = null,
           due_at = now() + make_interval(secs => least(${seconds}::float8 * 2 ^ least(m.attempts, 20), 1800)
                                                  * (1 + random() * least(m.attempts, 1)))
      from due where m.id = due.id
    returning m.id, m.attempts, due.due_at as "dueAt", m.dedupe_key as "dedupeKey", m.recipient, m.reply_to as "replyTo",
              m.subject, m.html, m.body_text as text, m.request_id as "requestId", m.traceparent, m.unsubscribe_url as "unsubscribeUrl"`.execute(
    db,
  );
  const taken = rows.map(
    ({ id, attempts, dueAt, recipient, replyTo, requestId, traceparent, unsubscribeUrl, ...written }) => ({
      id,
      attempts,
      dueAt,
      traceparent,
      email: {
        to: recipient,
        ...(replyTo === null ? {} : { replyTo }),
        ...(requestId === null ? {} : { requestId }),
        ...(unsubscribeUrl === null ? {} : { unsubscribeUrl }),
        ...written,
      },
    }),
  );
  return taken.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
}

/** An email that was claimed again since has another number of attempts. */
const stillTaken = (taken: readonly TakenEmail[]) => sql<boolean>`sent_at is null and (id, attempts) in (
  select * from unnest(${taken.map(({ id }) => id)}::bigint[], ${taken.map(({ attempts }) => attempts)}::integer[]))`;

/**
 * Extends the claim on emails to at least this many seconds from now; returns those that are still to be sent and not
 * claimed by another worker.
 */
export async function extendClaims(db: Reader, taken: readonly TakenEmail[], seconds: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update mail_outbox set due_at = greatest(due_at, now() + make_interval(secs => ${seconds}::float8))
     where ${stillTaken(taken)} returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns emails whose attempt has not begun: they are due, and the attempt does not count. */
export async function returnEmails(db: Reader, taken: readonly TakenEmail[]): Promise<void> {
  await sql`update mail_outbox set due_at = now(), attempts = attempts - 1 where ${stillTaken(taken)}`.execute(db);
}

/** The recipient of an email that ends; of a last one none is kept. */
export const WITHOUT_LAST = sql`case when starts_with(dedupe_key, ${LAST_EMAIL}) then 'forgotten' else recipient end`;

/** The rows stay, so that no email is queued again; their text is erased, because it may contain links that grant access. */
export async function markSent(db: Reader, ids: readonly number[]): Promise<void> {
  await sql`${prepared}
    update mail_outbox set sent_at = now(), last_error = null, failed_at = null, html = '', body_text = '', unsubscribe_url = null,
           recipient = ${WITHOUT_LAST}
     where id = any(${[...ids]}::bigint[]) and sent_at is null`.execute(db);
}

/** Erases the recipients and the text of emails, and the reasons of failures: servers quote the address. */
export async function forgetEmails(tx: Writer, dedupeKeys: readonly string[]): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({
      recipient: 'forgotten',
      reply_to: null,
      subject: '',
      html: '',
      body_text: '',
      unsubscribe_url: null,
      last_error: null,
      failed_at: null,
      sent_at: sql<Date>`coalesce(sent_at, now())`,
    })
    .where('dedupe_key', 'in', [...dedupeKeys])
    .execute();
}

/** The email with this key keeps its row under another one, so that a new email may have the key. */
export async function freeDedupeKey(tx: Writer, dedupeKey: string): Promise<void> {
  await sql`update mail_outbox set dedupe_key = 'replaced-' || id where dedupe_key = ${dedupeKey}`.execute(tx);
}

/**
 * An email that was not sent is due again after this many seconds, or never again if it is older than `giveUpSeconds`.
 * Nothing changes if another worker has claimed it for a later attempt.
 */
export async function recordFailure(
  db: Reader,
  failure: { id: number; attempts: number; error: string; againSeconds: number; giveUpSeconds: number },
): Promise<void> {
  const { id, attempts, error, againSeconds, giveUpSeconds } = failure;
  await sql`
    update mail_outbox
       set last_error = ${error}, failed_at = now(),
           due_at = case when created_at < now() - make_interval(secs => ${giveUpSeconds}::float8) then 'infinity'
                         else now() + make_interval(secs => ${againSeconds}::float8) end
     where id = ${id} and attempts = ${attempts} and sent_at is null`.execute(db);
}

/** The state of the outbox, and what operators do with emails that could not be sent. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { WITHOUT_LAST } from '#src/platform/mail/outbox.sql.ts';

export type OutboxState = {
  /** May be sent now, or are being sent. */
  waiting: number;
  /** Scheduled for later, one after the other. */
  later: number;
  oldestSeconds: number | null;
  /** Age of the oldest that should have been sent, failed ones included. */
  lateSeconds: number | null;
  /** Failed, and will be retried. */
  failing: number;
  /** Failed for four days, and will not be retried. */
  givenUp: number;
  /** Wait until a user proves their own address. */
  held: number;
};

const UNSENT = sql`sent_at is null and held_for is null`;
/** Each failed attempt has ended. Discarded ones no longer count as failed. */
const FAILED = sql`${UNSENT} and failed_at is not null`;

export async function countOutbox(db: Reader): Promise<OutboxState> {
  const { rows } = await sql<OutboxState>`
    select count(*) filter (where failed_at is null and due_at <= now() + interval '1 minute')::int as waiting,
           count(*) filter (where failed_at is null and due_at > now() + interval '1 minute' and due_at < 'infinity')::int as later,
           extract(epoch from now() - min(due_at) filter (where failed_at is null and due_at <= now()))::float8 as "oldestSeconds",
           extract(epoch from now() - min(created_at) filter
             (where due_at < 'infinity' and (failed_at is not null or due_at <= now())))::float8 as "lateSeconds",
           count(*) filter (where failed_at is not null and due_at < 'infinity')::int as failing,
           count(*) filter (where failed_at is not null and due_at = 'infinity')::int as "givenUp",
           (select count(*) from mail_outbox where held_for is not null)::int as held
      from mail_outbox where ${UNSENT}`.execute(db);
  return rows[0] as OutboxState;
}

type FailedEmailRow = {
  id: number;
  recipient: string;
  subject: string;
  attempts: number;
  error: string | null;
  createdAt: Date;
  failedAt: Date;
  /** Null: it is not retried. */
  nextAt: Date | null;
};

/** Emails whose last attempt failed, the newest first, by key. */
export async function listFailedEmails(
  db: Reader,
  { before, limit }: { before: number | null; limit: number },
): Promise<FailedEmailRow[]> {
  const { rows } = await sql<FailedEmailRow>`
    select id, recipient, subject, attempts, last_error as error, created_at as "createdAt", failed_at as "failedAt",
           nullif(due_at, 'infinity') as "nextAt"
      from mail_outbox where ${FAILED} and (${before}::bigint is null or id < ${before})
     order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Which failed emails are meant. */
type ChosenEmails = { ids: readonly number[] } | 'all';

const chosen = (which: ChosenEmails) => (which === 'all' ? sql`true` : sql`id = any(${[...which.ids]}::bigint[])`);
const lockedIds = (which: ChosenEmails, limit: number) =>
  sql`select id from mail_outbox where ${FAILED} and ${chosen(which)} order by id limit ${limit} for update skip locked`;

/**
 * Failed emails are sent again in a moment, up to `limit`; one that is being sent is excluded, so it is not sent twice.
 * If two people click at the same time, one gets them. One that was given up is tried once more. Returns their ids.
 */
export async function retryEmails(tx: Writer, which: ChosenEmails, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update mail_outbox set due_at = now(), failed_at = null
     where id in (${lockedIds(which, limit)}) returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Failed emails are never sent; their text is erased. The rows stay, so that no email is queued again. Returns their ids. */
export async function discardEmails(tx: Writer, which: ChosenEmails, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update mail_outbox set due_at = 'infinity', failed_at = null, html = '', body_text = '', recipient = ${WITHOUT_LAST}
     where id in (${lockedIds(which, limit)}) returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Worker only: sends the emails that wait in the outbox. Each email is sent at least once, under a Message-ID that
 * makes a second one recognizable. A worker claims some emails for a few seconds and extends the claim while it sends
 * them; those of a worker that died are due again. The outbox is the queue: a job for each email cost more than sending
 * it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { JobObservation } from '#src/platform/jobs/pg-boss-jobs.ts';
import type { Email, MailTransport } from '#src/platform/mail/mail.ts';
import * as outboxSql from '#src/platform/mail/outbox.sql.ts';
import type { TakenEmail } from '#src/platform/mail/outbox.sql.ts';
import { asWork, type WorkObservers } from '#src/platform/telemetry/work.ts';
import { isProblem } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

/** Emails have no tenant, and one statement needs no transaction. Each may run twice after a lost session: it does no harm. */
const OUTBOX = { kind: 'public' } as const;
/**
 * One query a second claims many emails together and costs less than a notification with each, for which PostgreSQL
 * makes transactions commit one after another. A worker asks it together with its queues.
 */
const POLL_EVERY_MS = 1_000;
/** How often a sender that is notified of due emails looks itself. */
const NOTIFIED_POLL_EVERY_MS = 60_000;
const TAKEN_AT_A_TIME = 20;
const SENT_AT_A_TIME = 2;
/** Then an attempt has failed: a server may answer very slowly forever, and a disk may hang. */
const ATTEMPT_MS = 120_000;
/** Emails of a worker that died are claimed by another after this. */
const TAKEN_SECONDS = 15;
/** How often claims are extended and sent emails are marked; a third of the above or less, so that two may be late. */
const EXTEND_MS = 3_000;
const STOP_MS = 20_000;

/** The outcome of sending in the log and in metrics. */
export const MAIL_JOB = 'mail.send';
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 900;
/** With doubling pauses, these take an hour; then the email is retried hourly until it is four days old. */
const ATTEMPTS_OF_FIRST_HOUR = 11;
const GIVE_UP_SECONDS = 4 * 86_400;

/** The pause of an email after this many failures. */
export function pauseAfter(attempts: number): number {
  if (attempts >= ATTEMPTS_OF_FIRST_HOUR) return HOUR_SECONDS;
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), LONGEST_PAUSE_SECONDS);
}

type SenderDeps = WorkObservers & {
  database: Pick<Database, 'read'>;
  mailTransport: MailTransport;
  log: Record<'warn' | 'error', (details: object, message: string) => void>;
  observe?: (observation: JobObservation) => void;
  /** How long an attempt may take, and how long emails are claimed; shorter in tests. */
  attemptMs?: number;
  takenSeconds?: number;
};

type Outcomes = ReturnType<typeof createOutcomes>;

/** Outcomes of emails that are not yet stored: if the database is unreachable, they are written when it is back. */
function createOutcomes({ database, log }: Pick<SenderDeps, 'database' | 'log'>) {
  const sent = new Set<number>();
  const failed = new Map<number, { attempts: number; reason: string }>();

  async function recordFailure(id: number, attempts: number, reason: string): Promise<void> {
    const error = reason.replaceAll('\u0000', '').slice(0, 500);
    const failure = { id, attempts, error, againSeconds: pauseAfter(attempts), giveUpSeconds: GIVE_UP_SECONDS };
    await database.read(OUTBOX, (db) => outboxSql.recordFailure(db, failure));
  }

  return {
    sent: (id: number) => void sent.add(id),
    failed: (id: number, attempts: number, reason: string) => void failed.set(id, { attempts, reason }),
    async writeDown(): Promise<void> {
      const ids = [...sent];
      if (ids.length > 0) await database.read(OUTBOX, (db) => outboxSql.markSent(db, ids));
      for (const id of ids) sent.delete(id);
      for (const [id, { attempts, reason }] of failed) {
        try {
          await recordFailure(id, attempts, reason);
        } catch (error) {
          if (isProblem(error) && error.code === 'unavailable') throw error;
          // One reason that cannot be stored must not block the other emails.
          log.error({ err: error, job: MAIL_JOB, jobId: String(id) }, 'why an email failed cannot be stored');
          failed.delete(id);
          await recordFailure(id, attempts, 'see the log');
        }
        failed.delete(id);
      }
    },
  };
}

/** Rejects if the email is not delivered in time, and aborts the delivery if possible. */
async function deliverInTime({ mailTransport, attemptMs = ATTEMPT_MS }: SenderDeps, email: Email): Promise<void> {
  const stopping = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`not sent within ${attemptMs / 1000} s`));
    stopping.abort();
  }, attemptMs);
  try {
    await Promise.race([mailTransport.deliver(email, stopping.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** In the trace of the request that caused it; an email without a request has an id of its own. */
const workOf = ({ id, attempts, email, traceparent }: TakenEmail, { begin, countWork }: WorkObservers) => ({
  begin,
  countWork,
  name: MAIL_JOB,
  facts: { 'sideline.email_id': id, 'sideline.attempt': attempts },
  origin: { requestId: email.requestId ?? `email-${id}`, traceparent },
});

/** One attempt, as reported to the log and metrics. */
async function attempt(deps: SenderDeps, outcomes: Outcomes, { id, attempts, dueAt, email }: TakenEmail) {
  const { log, observe = () => undefined } = deps;
  const started = Date.now();
  const waitedMs = Math.max(0, started - dueAt.getTime());
  const about = { job: MAIL_JOB, jobId: String(id) };
  try {
    await deliverInTime(deps, email);
    outcomes.sent(id);
    observe({ job: MAIL_JOB, outcome: 'done', ms: Date.now() - started, waitedMs });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    outcomes.failed(id, attempts, reason);
    const retriedHourly = attempts >= ATTEMPTS_OF_FIRST_HOUR;
    log.warn({ err: error, ...about, attempt: attempts, retriedHourly }, 'a job failed');
    observe({ job: MAIL_JOB, outcome: 'failed', ms: Date.now() - started, waitedMs });
    if (!retriedHourly) return;
    log.error({ ...about, cause: reason }, 'an email has failed for an hour: it is retried hourly for four days');
    observe({ job: MAIL_JOB, outcome: 'dead', ms: 0, waitedMs: 0 });
  }
}

/** Logs the first of a series of failures. */
function createTroubleLog({ log }: Pick<SenderDeps, 'log'>) {
  let hasTrouble = false;
  return {
    began(error: unknown): void {
      if (!hasTrouble) log.error({ err: error }, 'the outbox has trouble');
      hasTrouble = true;
    },
    ended: () => void (hasTrouble = false),
    goesOn: () => hasTrouble,
  };
}

/** Sends emails once it is started; `sendDue` sends those that are due now. */
export function createEmailSender(deps: SenderDeps) {
  const { database, takenSeconds = TAKEN_SECONDS } = deps;
  const trouble = createTroubleLog(deps);
  const outcomes = createOutcomes(deps);
  let hasEnded = false;
  let isNotified = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  /**
   * Sends these, a few at a time. Emails that are deleted meanwhile or whose claim could not be extended are not sent;
   * what is left then or when the worker stops is returned.
   */
  async function sendAll(taken: readonly TakenEmail[], takenAt: number): Promise<void> {
    const left = new Map(taken.map((each) => [each.id, each]));
    let extendedAt = takenAt;
    const extendClaims = async () => {
      await outcomes.writeDown();
      if (left.size === 0) return;
      const askedAt = performance.now();
      const extended = await database.read(OUTBOX, (db) =>
        outboxSql.extendClaims(db, [...left.values()], takenSeconds),
      );
      extendedAt = askedAt;
      const isKept = new Set(extended);
      for (const id of left.keys()) if (!isKept.has(id)) left.delete(id);
    };
    let extending: Promise<void> = Promise.resolve();
    const timer = setInterval(() => (extending = extending.then(extendClaims).catch(trouble.began)), EXTEND_MS);
    const next = taken[Symbol.iterator]();
    const sendOneByOne = async () => {
      for (const each of next) {
        const isOurs = left.has(each.id) && performance.now() - extendedAt < takenSeconds * 1000;
        if (hasEnded || !isOurs) continue;
        await asWork(workOf(each, deps), () => attempt(deps, outcomes, each));
        left.delete(each.id);
      }
    };
    try {
      await Promise.all(Array.from({ length: SENT_AT_A_TIME }, sendOneByOne));
    } finally {
      clearInterval(timer);
    }
    await extending;
    await outcomes.writeDown();
    if (left.size > 0) await database.read(OUTBOX, (db) => outboxSql.returnEmails(db, [...left.values()]));
  }

  /** Claims emails that are due and sends them; returns how many it claimed. */
  async function sendDue(): Promise<number> {
    await outcomes.writeDown();
    const wanted = { limit: TAKEN_AT_A_TIME, seconds: takenSeconds };
    const takenAt = performance.now();
    const taken = await database.read(OUTBOX, (db) => outboxSql.takeDueEmails(db, wanted));
    if (taken.length > 0) await sendAll(taken, takenAt);
    return taken.length;
  }

  /** Sends all emails that are due, and is called again later. Runs once at a time. */
  async function sendAllDue(): Promise<void> {
    try {
      while (!hasEnded && (await sendDue()) === TAKEN_AT_A_TIME);
      trouble.ended();
    } catch (error) {
      trouble.began(error);
    }
    running = null;
    if (!hasEnded) timer = setTimeout(begin, isNotified && !trouble.goesOn() ? NOTIFIED_POLL_EVERY_MS : POLL_EVERY_MS);
  }

  function begin(): void {
    if (hasEnded || running) return;
    if (timer) clearTimeout(timer);
    running = sendAllDue();
  }

  return {
    sendDue,
    /** Starts sending, until it is closed. @param watch notifies it of due emails; absent: it looks itself */
    start(watch?: Jobs['watch']): void {
      isNotified = watch !== undefined;
      watch?.(outboxSql.DUE_EMAIL, begin);
      begin();
    },
    /** Claims no more, and waits for those being sent (20 s at most). */
    async close(): Promise<void> {
      hasEnded = true;
      if (timer) clearTimeout(timer);
      await Promise.race([running, sleep(STOP_MS, null, { ref: false })]);
    },
  };
}

/**
 * The state of the installation, for platform admins: its processes on every machine, its queues, its mail, its store
 * and its disk; and what they do with failed jobs and emails. It is read when someone opens the page; in between only a
 * heartbeat of each process is recorded once a minute.
 */
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { AuditService } from '#src/features/audit/audit.service.ts';
import {
  jobReason,
  jobSubject,
  maskedAddress,
  reasonWords,
  withoutSecrets,
} from '#src/features/health/failure-words.rules.ts';
import * as words from '#src/features/health/health.contract.ts';
import { problemsOf, type BackupFacts, type DiskFacts, type StoreFacts } from '#src/features/health/health.rules.ts';
import { readDatabaseFacts, type DatabaseFacts } from '#src/features/health/health.sql.ts';
import { requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { lastSuccesses, listBackups } from '#src/platform/backup/backup-log.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';
import {
  listFailedJobs,
  listQueues,
  type FailedJobCursor,
  type QueueState,
} from '#src/platform/jobs/queue-health.sql.ts';
import {
  countOutbox,
  discardEmails,
  listFailedEmails,
  retryEmails,
  type OutboxState,
} from '#src/platform/mail/outbox-health.sql.ts';
import { listProcesses } from '#src/platform/processes/processes.sql.ts';
import type { DiskSpace } from '#src/platform/storage/disk-space.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { VERSION } from '#src/platform/version.ts';
import { bind } from '#src/shared/bind.ts';
import { pageOf, placeAfter, readPlace, writePlace, pageBy } from '#src/shared/paging.ts';
import { UUID } from '#src/shared/validators.ts';

const HEALTH = { kind: 'system', why: 'platform admins look at the whole installation' } as const;
const STORE_ANSWER_WITHIN_MS = 3_000;

type HealthDeps = {
  database: Database;
  storage: Pick<Storage, 'kind' | 'check' | 'hasSpace'>;
  /** The disk that stores objects; null with an S3 store. */
  disk: { space: Pick<DiskSpace, 'read'> } | null;
  jobs: Pick<Jobs, 'retryFailed' | 'discardFailed'>;
  jobDefinitions: readonly Pick<JobDefinition<unknown>, 'name' | 'whenGivenUp'>[];
  audit: Pick<AuditService, 'recordAll'>;
  config: Pick<Config, 'dataDir' | 'databaseUrl'>;
};

export type HealthService = ReturnType<typeof createHealth>;
export type HealthOverview = Awaited<ReturnType<typeof overview>>;
export type FailedJobs = Awaited<ReturnType<typeof failedJobs>>;
export type FailedEmails = Awaited<ReturnType<typeof failedEmails>>;

/** Checks the store, for three seconds at most. */
async function checkStore({ storage }: HealthDeps): Promise<StoreFacts> {
  const started = performance.now();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer')), STORE_ANSWER_WITHIN_MS);
  const checked = storage.check().then(() => storage.hasSpace());
  checked.catch(() => undefined);
  try {
    const hasSpace = await Promise.race([checked, late.promise]);
    return { kind: storage.kind, answers: true, hasSpace, latencyMs: performance.now() - started };
  } catch {
    return { kind: storage.kind, answers: false, hasSpace: false, latencyMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
  }
}

/** The disk of `DATA_DIR` on the machine that answers. */
async function statDisk({ config, disk }: HealthDeps): Promise<DiskFacts | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(config.dataDir);
    const minimumBytes = disk === null ? null : (await disk.space.read()).minimumBytes;
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, minimumBytes };
  } catch {
    return null;
  }
}

const HOUR_MS = 3_600_000;

function backupFacts(
  { config }: HealthDeps,
  { now, installedAt }: DatabaseFacts,
  error: string | null,
  { file, folder, verify }: Awaited<ReturnType<typeof lastSuccesses>>,
): BackupFacts {
  const hoursSince = (at: Date | undefined) => (at === undefined ? null : (now.getTime() - at.getTime()) / HOUR_MS);
  const [newest] = [file, folder].filter((at) => at !== undefined).toSorted((a, b) => b.getTime() - a.getTime());
  return {
    hoursAgo: hoursSince(newest),
    verifiedHoursAgo: hoursSince(verify),
    error: error === null ? null : reasonWords(error),
    isOurs: config.databaseUrl === null,
    installedHoursAgo: hoursSince(installedAt) ?? 0,
  };
}

const countsOf = (queues: readonly QueueState[], { failing, givenUp }: OutboxState) => ({
  jobs: queues.reduce((sum, { failed }) => sum + failed, 0),
  emails: failing + givenUp,
});

/** The state of everything, and the problems. @throws unauthenticated; forbidden; unavailable without the database */
export async function overview(ctx: HealthDeps, caller: Caller) {
  requirePlatformAdmin(caller.actor);
  const [store, disk, [processes, queues, outbox, database, runs, successes]] = await Promise.all([
    checkStore(ctx),
    statDisk(ctx),
    ctx.database.read(HEALTH, (db) =>
      Promise.all([
        listProcesses(db),
        listQueues(db),
        countOutbox(db),
        readDatabaseFacts(db),
        listBackups(db, 1),
        lastSuccesses(db),
      ]),
    ),
  ]);
  const backup = backupFacts(ctx, database, runs[0]?.error ?? null, successes);
  return {
    processes,
    queues,
    outbox,
    store,
    disk,
    backup,
    database: { ...database, isEmbedded: ctx.config.databaseUrl === null },
    /** Of the process that answers. */
    here: { host: hostname(), version: VERSION, node: process.version },
    problems: problemsOf({ processes, queues, outbox, store, disk, backup, differences: database.openDifferences }),
    counts: countsOf(queues, outbox),
  };
}

function readJobPlace(text: string): FailedJobCursor | null {
  const [failedAt, id] = readPlace(text);
  const isPlace = typeof failedAt === 'string' && /^\d{4}-[\d :.+-]{10,30}$/.test(failedAt);
  return isPlace && typeof id === 'string' && UUID.test(id) ? { failedAt, id } : null;
}

/**
 * Jobs that were given up in the last seven days, newest first, with the number in each queue; `after` is `next` of the
 * previous page.
 * @throws unauthenticated; forbidden; invalid for an `after` that we did not write
 */
export async function failedJobs(
  ctx: HealthDeps,
  caller: Caller,
  { job, after }: { job: string | null; after: string | null },
) {
  requirePlatformAdmin(caller.actor);
  const place = placeAfter(after, readJobPlace);
  const search = { job, after: place, limit: words.FAILED_PER_PAGE + 1 };
  const [rows, queues, outbox] = await ctx.database.read(HEALTH, (db) =>
    Promise.all([listFailedJobs(db, search), listQueues(db), countOutbox(db)]),
  );
  const { shown, next } = pageBy(rows, words.FAILED_PER_PAGE, (last) => writePlace([last.place, last.id]));
  const settled = new Map(ctx.jobDefinitions.map(({ name, whenGivenUp }) => [name, whenGivenUp]));
  return {
    jobs: shown.map((row): words.FailedJob => ({
      id: row.id,
      job: row.job,
      job_id: row.jobId,
      subject: jobSubject(row.payload),
      reason: jobReason(row.output, row.payload),
      attempts: row.attempts,
      failed_at: row.failedAt.toISOString(),
      when_given_up: settled.has(row.job)
        ? (settled.get(row.job) ?? null)
        : 'This version has no such job; it can only be discarded.',
    })),
    queues: queues.filter(({ failed }) => failed > 0).map(({ name, failed }) => ({ name, failed })),
    counts: countsOf(queues, outbox),
    next,
  };
}

/** Emails whose last attempt failed, newest first. @throws unauthenticated; forbidden */
export async function failedEmails(ctx: HealthDeps, caller: Caller, { after }: { after: number | null }) {
  requirePlatformAdmin(caller.actor);
  const search = { before: after, limit: words.FAILED_PER_PAGE + 1 };
  const [rows, queues, outbox] = await ctx.database.read(HEALTH, (db) =>
    Promise.all([listFailedEmails(db, search), listQueues(db), countOutbox(db)]),
  );
  const { shown, next } = pageOf(rows, words.FAILED_PER_PAGE);
  return {
    emails: shown.map((row): words.FailedEmail => ({
      id: row.id,
      recipient: maskedAddress(row.recipient),
      subject: withoutSecrets(row.subject),
      reason: reasonWords(row.error ?? ''),
      attempts: row.attempts,
      written_at: row.createdAt.toISOString(),
      failed_at: row.failedAt.toISOString(),
      next_at: row.nextAt?.toISOString() ?? null,
    })),
    counts: countsOf(queues, outbox),
    next,
  };
}

async function handleJobs(ctx: HealthDeps, caller: Caller, body: words.ChosenJobsBody, what: 'retried' | 'discarded') {
  requirePlatformAdmin(caller.actor);
  const which = body.ids ? { ids: body.ids } : { job: body.job ?? null };
  const handle = what === 'retried' ? ctx.jobs.retryFailed : ctx.jobs.discardFailed;
  return ctx.database.write(HEALTH, async (tx) => {
    const taken = await handle(tx, which, words.FAILED_AT_A_TIME);
    const actions = taken.map(({ job, jobId }) => ({
      organizationId: null,
      action: `job.${what}`,
      object: ['job', jobId] as const,
      details: { job },
    }));
    await ctx.audit.recordAll(tx, caller, actions);
    return { count: taken.length };
  });
}

/**
 * Queues failed jobs again as new ones, each once. Jobs whose module has already handled the failure are skipped.
 * @throws unauthenticated; forbidden
 */
const retryJobs = (ctx: HealthDeps, caller: Caller, body: words.ChosenJobsBody) =>
  handleJobs(ctx, caller, body, 'retried');

/** Discards failed jobs. @throws unauthenticated; forbidden */
const discardJobs = (ctx: HealthDeps, caller: Caller, body: words.ChosenJobsBody) =>
  handleJobs(ctx, caller, body, 'discarded');

async function handleEmails(
  ctx: HealthDeps,
  caller: Caller,
  body: words.ChosenEmailsBody,
  what: 'retried' | 'discarded',
) {
  requirePlatformAdmin(caller.actor);
  const which = body.ids ? { ids: body.ids } : 'all';
  const handle = what === 'retried' ? retryEmails : discardEmails;
  return ctx.database.write(HEALTH, async (tx) => {
    const ids = await handle(tx, which, words.FAILED_AT_A_TIME);
    const actions = ids.map((id) => ({
      organizationId: null,
      action: `email.${what}`,
      object: ['email', id] as const,
    }));
    await ctx.audit.recordAll(tx, caller, actions);
    return { count: ids.length };
  });
}

/** Sends failed emails again shortly, each once, with the same Message-ID. @throws unauthenticated; forbidden */
const retryFailedEmails = (ctx: HealthDeps, caller: Caller, body: words.ChosenEmailsBody) =>
  handleEmails(ctx, caller, body, 'retried');

/** Discards failed emails, and erases their text. @throws unauthenticated; forbidden */
const discardFailedEmails = (ctx: HealthDeps, caller: Caller, body: words.ChosenEmailsBody) =>
  handleEmails(ctx, caller, body, 'discarded');

export const createHealth = (deps: HealthDeps) =>
  bind(deps, { overview, failedJobs, failedEmails, retryJobs, discardJobs, retryFailedEmails, discardFailedEmails });

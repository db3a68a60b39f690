/** What the figures mean: which part works, which does not, and what to do about it. */
import type { OutboxState } from '#src/platform/mail/outbox-health.sql.ts';
import type { QueueState } from '#src/platform/jobs/queue-health.sql.ts';
import type { ProcessRow } from '#src/platform/processes/processes.sql.ts';
import { counted } from '#src/shared/counted.ts';

export type Tone = 'ok' | 'warning' | 'danger' | 'neutral';
/** A state in a word; color only supports it. */
export type State = { tone: Tone; word: string };

export type Problem = { tone: 'warning' | 'danger'; title: string; todo: string; link?: { to: string; label: string } };

export type StoreFacts = {
  kind: 'disk' | 's3';
  answers: boolean;
  latencyMs: number;
  /** Accepts uploads. */
  hasSpace: boolean;
};
export type DiskFacts = { freeBytes: number; totalBytes: number; minimumBytes: number | null };

/** The records of backups; ages are by the database's clock. */
export type BackupFacts = {
  /** Hours since a successful backup; null without one. */
  hoursAgo: number | null;
  /** Hours since a backup was restored elsewhere and checked. */
  verifiedHoursAgo: number | null;
  /** Why the newest run failed; null if it did not. */
  error: string | null;
  /** Only our own backup is possible here. */
  isOurs: boolean;
  /** Age of the installation; a new one has nothing to lose yet. */
  installedHoursAgo: number;
};

export type Facts = {
  processes: readonly ProcessRow[];
  queues: readonly QueueState[];
  outbox: OutboxState;
  store: StoreFacts;
  /** Null if the folder cannot be read. */
  disk: DiskFacts | null;
  backup: BackupFacts;
  /** Found by comparing the books, and not explained yet. */
  differences: number;
};

/** Two heartbeats are missing, and a part of a third. */
const SILENT_SECONDS = 150;
/** A process that ended is reported for this long. */
const NEWS_SECONDS = 3600;
const CLOCK_WARNING_MS = 5_000;
const CLOCK_DANGER_MS = 60_000;
const QUEUE_WARNING_SECONDS = 5 * 60;
const QUEUE_DANGER_SECONDS = 30 * 60;
const MAIL_WARNING_SECONDS = 10 * 60;
const SLOW_STORE_MS = 1_000;
/** As in the alert SidelineBackupOld. */
const BACKUP_HOURS = 36;

export const FAILED_JOBS = '/admin/health?view=jobs';
export const FAILED_EMAILS = '/admin/health?view=emails';

const isAlive = ({ silentSeconds }: ProcessRow) => silentSeconds < SILENT_SECONDS;

/** Whether another process has replaced a silent one. */
function isReplaced(lost: ProcessRow, all: readonly ProcessRow[]): boolean {
  return all.some(
    ({ id, host, name, startedAt }) =>
      id !== lost.id && host === lost.host && name === lost.name && startedAt.getTime() > lost.startedAt.getTime(),
  );
}

const clockIsOff = ({ clockAheadMs }: ProcessRow) => Math.abs(clockAheadMs) > CLOCK_WARNING_MS;

/** The state of a process. */
export function processState(one: ProcessRow, all: readonly ProcessRow[]): State {
  if (!isAlive(one)) {
    if (isReplaced(one, all)) return { tone: 'neutral', word: 'Ended, restarted' };
    return { tone: one.silentSeconds < NEWS_SECONDS ? 'warning' : 'neutral', word: 'Not responding' };
  }
  if (clockIsOff(one)) return { tone: 'warning', word: 'Clock is off' };
  return { tone: 'ok', word: 'Running' };
}

export function queueState({ oldestSeconds, retrying, failed }: QueueState): State {
  const waited = oldestSeconds ?? 0;
  if (waited > QUEUE_DANGER_SECONDS) return { tone: 'danger', word: 'Stuck' };
  if (waited > QUEUE_WARNING_SECONDS) return { tone: 'warning', word: 'Slow' };
  if (retrying > 0) return { tone: 'warning', word: 'Retrying' };
  if (failed > 0) return { tone: 'warning', word: 'Some failed' };
  return { tone: 'ok', word: 'OK' };
}

export function outboxState({ oldestSeconds, failing, givenUp }: OutboxState): State {
  if ((oldestSeconds ?? 0) > MAIL_WARNING_SECONDS) return { tone: 'danger', word: 'Stuck' };
  if (givenUp > 0 || failing > 0) return { tone: 'warning', word: 'Some failed' };
  return { tone: 'ok', word: 'OK' };
}

export function storeState({ answers, hasSpace, latencyMs }: StoreFacts): State {
  if (!answers) return { tone: 'danger', word: 'Not reachable' };
  if (!hasSpace) return { tone: 'danger', word: 'Full' };
  if (latencyMs > SLOW_STORE_MS) return { tone: 'warning', word: 'Slow' };
  return { tone: 'ok', word: 'Reachable' };
}

export function diskState({ freeBytes, minimumBytes }: DiskFacts): State {
  if (minimumBytes === null) return { tone: 'ok', word: 'OK' };
  if (freeBytes < minimumBytes) return { tone: 'danger', word: 'Full' };
  if (freeBytes < 2 * minimumBytes) return { tone: 'warning', word: 'Nearly full' };
  return { tone: 'ok', word: 'OK' };
}

export function backupState({ hoursAgo, error, isOurs, installedHoursAgo }: BackupFacts): State {
  if (error !== null) return { tone: 'warning', word: 'Failed' };
  if (hoursAgo !== null && hoursAgo <= BACKUP_HOURS) return { tone: 'ok', word: 'OK' };
  if (!isOurs && hoursAgo === null) return { tone: 'neutral', word: 'Not recorded' };
  if (hoursAgo === null && installedHoursAgo <= BACKUP_HOURS) return { tone: 'neutral', word: 'None yet' };
  return { tone: 'warning', word: hoursAgo === null ? 'None yet' : 'Old' };
}

/** What is wrong and what to do about it, worst first. Empty if all is well. */
export function problemsOf(facts: Facts): Problem[] {
  const found = [
    ...processProblems(facts.processes),
    ...queueProblems(facts),
    ...mailProblems(facts.outbox),
    ...storageProblems(facts),
    ...backupProblems(facts.backup),
    ...bookProblems(facts.differences),
  ];
  return found.toSorted((a, b) => Number(b.tone === 'danger') - Number(a.tone === 'danger'));
}

function processProblems(processes: readonly ProcessRow[]): Problem[] {
  const alive = processes.filter(isAlive);
  const lost = processes.filter(
    (one) => !isAlive(one) && one.silentSeconds < NEWS_SECONDS && !isReplaced(one, processes),
  );
  const problems: Problem[] = [];
  if (!alive.some(({ role }) => role === 'worker'))
    problems.push({
      tone: 'danger',
      title: 'No worker is running',
      todo: 'Photos, emails and unconfirmed payments are waiting. Start a worker (ROLE=worker), or restart “npm start”; its log says why it ended.',
    });
  for (const { name, host } of lost)
    problems.push({
      tone: 'warning',
      title: `${name} on ${host} does not respond`,
      todo: 'It was killed, hangs, or cannot reach the database. Check its log. If you removed the machine, ignore this: after a day it is no longer listed.',
    });
  const versions = new Set(alive.map(({ version }) => version));
  if (versions.size > 1)
    problems.push({
      tone: 'warning',
      title: `Different versions are running: ${[...versions].toSorted().join(' and ')}`,
      todo: 'That is fine during an update. Otherwise finish it: restart the processes of the older version.',
    });
  for (const host of new Set(alive.filter((one) => clockIsOff(one)).map((one) => one.host))) {
    const worst = Math.max(
      ...alive.filter((one) => one.host === host).map(({ clockAheadMs }) => Math.abs(clockAheadMs)),
    );
    problems.push({
      tone: worst > CLOCK_DANGER_MS ? 'danger' : 'warning',
      title: `The clock of ${host} differs from the database’s by ${counted(Math.round(worst / 1000), 'second', 'seconds')}`,
      todo: 'Set up time synchronization (NTP) on both machines. Its orders are dated by its clock. From five minutes on, webhooks of the card provider are refused.',
    });
  }
  return problems;
}

function queueProblems({ queues }: Facts): Problem[] {
  const problems: Problem[] = [];
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0);
  if (failed > 0)
    problems.push({
      tone: 'warning',
      title: `${counted(failed, 'job was', 'jobs were')} given up`,
      todo: 'Read the reasons, fix the cause, then retry or discard the jobs.',
      link: { to: FAILED_JOBS, label: 'Failed jobs' },
    });
  const late = queues.filter(({ oldestSeconds }) => (oldestSeconds ?? 0) > QUEUE_WARNING_SECONDS);
  if (late.length > 0)
    problems.push({
      tone: late.some((queue) => queueState(queue).tone === 'danger') ? 'danger' : 'warning',
      title: `Jobs are waiting too long: ${late.map(({ name }) => name).join(', ')}`,
      todo: 'If the number of waiting jobs is falling, there is just a lot of work. If not, check the worker’s log, or start another worker (ROLE=worker).',
    });
  return problems;
}

function mailProblems(outbox: OutboxState): Problem[] {
  const link = { to: FAILED_EMAILS, label: 'Failed emails' };
  const problems: Problem[] = [];
  if ((outbox.oldestSeconds ?? 0) > MAIL_WARNING_SECONDS)
    problems.push({
      tone: 'danger',
      title: 'Emails are not being sent',
      todo: 'Check that a worker is running, and that SMTP_URL names a mail server that answers.',
    });
  if (outbox.failing > 0)
    problems.push({
      tone: 'warning',
      title: `${counted(outbox.failing, 'email', 'emails')} could not be sent yet`,
      todo: 'They are retried automatically, for four days. If the reason is the mail server, fix it, then retry them now.',
      link,
    });
  if (outbox.givenUp > 0)
    problems.push({
      tone: 'warning',
      title: `${counted(outbox.givenUp, 'email was', 'emails were')} given up after four days`,
      todo: 'Read the reasons, then retry or discard them.',
      link,
    });
  return problems;
}

function storageProblems({ store, disk }: Facts): Problem[] {
  const problems: Problem[] = [];
  if (!store.answers)
    problems.push({
      tone: 'danger',
      title: 'The object store does not answer',
      todo: 'Pages and orders work; photos, uploads and downloads do not. Check S3_ENDPOINT, the bucket and its credentials, or the folder of the photos below DATA_DIR.',
    });
  else if (!store.hasSpace)
    problems.push({
      tone: 'danger',
      title: 'The disk of the photos is full',
      todo: 'Uploads are refused. Free some space; uploads then continue automatically.',
    });
  else if (store.latencyMs > SLOW_STORE_MS)
    problems.push({
      tone: 'warning',
      title: `The object store is slow: it took ${counted(Math.round(store.latencyMs), 'millisecond', 'milliseconds')} to answer`,
      todo: 'Check the load on the store and on the network between.',
    });
  if (disk && diskState(disk).tone === 'warning')
    problems.push({
      tone: 'warning',
      title: 'The disk is nearly full',
      todo: 'Uploads stop when less is free than MIN_FREE_MB and MIN_FREE_PERCENT say. Free some space, or use a larger disk.',
    });
  return problems;
}

function backupProblems(backup: BackupFacts): Problem[] {
  if (backupState(backup).tone !== 'warning') return [];
  if (backup.error !== null)
    return [
      {
        tone: 'warning',
        title: 'The last backup failed',
        todo: `It said: ${backup.error} Fix that, then run “npm run backup” again.`,
      },
    ];
  const { hoursAgo } = backup;
  const title = hoursAgo === null ? 'There is no backup' : `The last backup is ${ageWords(hoursAgo)} old`;
  return [{ tone: 'warning', title, todo: 'Run “npm run backup”, and let the machine’s scheduler run it each night.' }];
}

function bookProblems(differences: number): Problem[] {
  if (differences === 0) return [];
  return [
    {
      tone: 'warning',
      title: `The books have ${counted(differences, 'open difference', 'open differences')}`,
      todo: 'Read what was compared, fix the cause, then explain each.',
      link: { to: '/admin/reconciliation', label: 'Reconciliation' },
    },
  ];
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** "3 minutes"; below a minute in seconds. */
export function lengthWords(seconds: number): string {
  for (const [length, name] of UNITS) {
    if (seconds >= length) return counted(Math.floor(seconds / length), name, `${name}s`);
  }
  return counted(Math.max(0, Math.floor(seconds)), 'second', 'seconds');
}

/** The age of a backup: up to two days in hours, because "1 day" beside "Old" would be no reason to worry. */
export const ageWords = (hours: number): string =>
  hours >= 1 && hours < 48 ? counted(Math.floor(hours), 'hour', 'hours') : lengthWords(hours * 3600);

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** "1.5 GB", in powers of 1,000, as disks are sold. */
export function sizeWords(bytes: number): string {
  let value = bytes;
  let step = 0;
  for (; value >= 999.5 && step < SIZES.length - 1; step++) value /= 1000;
  return `${value < 9.95 && step > 0 ? value.toFixed(1) : Math.round(value)} ${SIZES[step]}`;
}

/** "photo.ingest" as "Photo: ingest". */
export function jobWords(name: string): string {
  const [kind = '', ...rest] = name.replaceAll(/[_-]/g, ' ').split('.');
  const words = rest.length === 0 ? kind : `${kind}: ${rest.join(' ')}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** To the second, so that almost 3 hours are not 2. Less than a second may be the duration of the statement. */
export function clockWords(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) < 1000) return 'correct';
  return `${lengthWords(seconds)} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

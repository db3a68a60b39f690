/**
 * Limits of sensitive calls (signing in, unlocking, paying), counted in the database so that they apply across all
 * processes. A crash of the database loses the counts and nothing else.
 */
import type { Database, Reader, Writer } from '#src/platform/db/db.ts';
import { clockJob } from '#src/platform/jobs/jobs.ts';
import {
  deleteBucket,
  deleteOldCounters,
  returnHits,
  readCounts,
  readHits,
  takeEach,
  takeHits,
} from '#src/platform/limits/rate-counters.sql.ts';
import { secondsUntilFree } from '#src/platform/limits/sliding-window.ts';
import { isProblem, problem, type Problem } from '#src/shared/problem.ts';

/** A limited resource of an address, an account or a gallery. */
export type RateLimit = {
  /** Purpose and subject: `login:ip:203.0.113.7`. Two limits with different windows need two buckets. */
  bucket: string;
  /** The limit per window, before `RATE_LIMIT_FACTOR`. */
  limit: number;
  windowSeconds: number;
  /** What this call costs; 1 if absent. */
  cost?: number;
};

export type Limits = ReturnType<typeof createRateLimits>;

/** Takes from all of these, in order; false once one is full, for work that may then be skipped silently. */
export async function mayTake(
  limits: { take(limit: RateLimit): Promise<void> | void },
  ...shares: readonly RateLimit[]
): Promise<boolean> {
  try {
    for (const share of shares) await limits.take(share);
    return true;
  } catch (error) {
    if (isProblem(error) && error.code === 'too_many') return false;
    throw error;
  }
}

/** Waits until something is taken; a refusal gets its own message. @throws too_many */
export async function refusedWith(message: string, taken: Promise<unknown>): Promise<void> {
  try {
    await taken;
  } catch (error) {
    if (!isProblem(error) || error.code !== 'too_many') throw error;
    throw problem('too_many', message, error.details);
  }
}

/** Longer than two of the longest windows in use (a day). */
const KEEP_SECONDS = 3 * 86_400;

// A counter is one statement on a table without tenants, committed on its own: it needs no scope, and a count taken
// twice after a lost session does no harm.
const COUNTERS = { kind: 'public' } as const;

export function createRateLimits(deps: { database: Database; factor: number }) {
  const { database, factor } = deps;
  return {
    /** Takes from the bucket. @throws too_many "Too many attempts. Try again in N seconds." with `Retry-After`. */
    async take({ bucket, limit, windowSeconds, cost = 1 }: RateLimit) {
      const scaled = { limit: scaledLimit(limit, factor), windowSeconds, cost };
      if (await database.read(COUNTERS, (db) => takeHits(db, bucket, scaled))) return;
      const counts = await database.read(COUNTERS, (db) => readCounts(db, bucket, windowSeconds));
      throw tooMany(secondsUntilFree(counts, scaled));
    },
    /**
     * Takes one from each of these buckets of one limit, for work that may be skipped silently; returns those that had
     * one left. One statement.
     */
    takeEach: (buckets: readonly string[], { limit, windowSeconds }: Omit<RateLimit, 'bucket'>) =>
      database.read(COUNTERS, (db) =>
        takeEach(db, buckets, { limit: scaledLimit(limit, factor), windowSeconds, cost: 1 }),
      ),
    /**
     * Takes nothing: @throws too_many if one of these buckets, all of one window, is full. One statement; in the caller's
     * transaction, if there is one.
     */
    async check(limits: readonly RateLimit[], tx: Writer | null = null) {
      const ask = <Answer>(work: (db: Reader) => Promise<Answer>) => (tx ? work(tx) : database.read(COUNTERS, work));
      const windowSeconds = limits[0]?.windowSeconds ?? 0;
      if (limits.some((limit) => limit.windowSeconds !== windowSeconds))
        throw new RangeError('limits that are checked together have one window');
      const buckets = limits.map((limit) => limit.bucket);
      const hits = await ask((db) => readHits(db, buckets, windowSeconds));
      for (const { bucket, limit, cost = 1 } of limits) {
        const scaled = { limit: scaledLimit(limit, factor), windowSeconds, cost };
        if ((hits.find((each) => each.bucket === bucket)?.hits ?? 0) + cost <= scaled.limit) continue;
        throw tooMany(secondsUntilFree(await ask((db) => readCounts(db, bucket, windowSeconds)), scaled));
      }
    },
    /** Undoes `take`, for an attempt that turned out not to count. */
    refund: ({ bucket, windowSeconds, cost = 1 }: RateLimit) =>
      database.read(COUNTERS, (db) => returnHits(db, bucket, windowSeconds, cost)),
    /** Deletes the bucket, after a success. */
    clear: (bucket: string) => database.read(COUNTERS, (db) => deleteBucket(db, bucket)),
    /** Deletes counters that are no longer used; returns how many. */
    sweep: () =>
      database.write({ kind: 'system', why: 'old counters belong to no tenant' }, (tx) =>
        deleteOldCounters(tx, KEEP_SECONDS),
      ),
  };
}

/** Runs `Limits.sweep` once an hour. */
export const sweepLimitsJob = clockJob('limits.sweep', '17 * * * *');

/**
 * The problem for too many requests, with the message of bad input 26; at least 2 seconds, because the message says
 * "seconds".
 */
export function tooMany(seconds: number): Problem {
  const wait = Math.max(2, seconds);
  return problem('too_many', `Too many attempts. Try again in ${wait} seconds.`, { retryAfterSeconds: wait });
}

/** A limit times the operator's factor; at least 1, so that a small factor disables nothing permanently. */
export function scaledLimit(limit: number, factor: number): number {
  return Math.max(1, Math.floor(limit * factor));
}

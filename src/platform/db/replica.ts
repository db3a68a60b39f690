/**
 * A read-only copy of the database (PostgreSQL's streaming replication) for what visitors are shown. It is used only
 * within `withReplica`, only for statements whose scope allows it, and only if it provably has the data they need; if
 * in doubt, the primary answers (decision record 0068).
 */
import { asPrepared } from '#src/platform/db/prepared.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { createSessionPool, postgresDialect, SessionDriver } from '#src/platform/db/kysely-driver.ts';
import type { Schema } from '#src/platform/db/schema.ts';
import { transact } from '#src/platform/db/transact.ts';
import { isProblem } from '#src/shared/problem.ts';

type ReplicaOptions = {
  url: string;
  role: string | null;
  applicationName: string;
  /** It is not used when it may be further behind than this. */
  maxLagMs: number;
  onError: (error: Error) => void;
  /** How far the primary has written its log (`pg_current_wal_lsn`). */
  positionOfPrimary: () => Promise<string>;
};

/** `used`: work that it answered; `missed`: work that it could have answered, but the primary did. */
export type ReplicaFigures = { used: number; missed: number; lagMs: number | null };

type Reading = Kysely<Schema>;
/** A snapshot of the replica, for as long as the work that needs it. */
type Snapshot = { reader: Reading; isUsable: boolean };

const OPENING = ['begin isolation level repeatable read read only', "set local app.organization_ids = ''"].map(
  asPrepared,
);
const MAX_CONNECTIONS = 5;
const SAMPLE_EVERY_MS = 500;
const SAMPLES_KEPT = 100;
/** A slower answer costs more than it saves. */
const ANSWER_WITHIN_MS = 500;
const PAUSE_MS = 5_000;

/** Opens no connection yet: an unreachable replica does not prevent a start. */
export function openReplica(options: ReplicaOptions) {
  const { maxLagMs, onError, positionOfPrimary } = options;
  const sessions = createSessionPool({
    ...options,
    maxConnections: MAX_CONNECTIONS,
    slotWaitMs: ANSWER_WITHIN_MS,
    statementTimeoutMs: ANSWER_WITHIN_MS,
    onIdleError: onError,
  });
  const driver = new SessionDriver(sessions);
  const dialect = postgresDialect(driver);
  const kysely = new Kysely<Schema>({ dialect });
  const snapshots = new AsyncLocalStorage<Snapshot>();
  const lag = measureLag(positionOfPrimary);
  const figures = { used: 0, missed: 0 };
  let pausedUntil = 0;

  function failed(error: unknown): void {
    pausedUntil = performance.now() + PAUSE_MS;
    onError(error as Error);
  }

  /** Whether this snapshot is from a replica, recent enough, and has what its user needs. */
  async function mayServe(reader: Reading, hasAll: ((db: Reading) => Promise<boolean>) | null): Promise<boolean> {
    const { rows } = await sql<{ position: string | null }>`
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position`.execute(reader);
    return lag.provenMs(rows[0]?.position ?? null) <= maxLagMs && (hasAll === null || hasAll(reader));
  }

  /**
   * Runs work whose statements may read one snapshot of the replica. `hasAll` checks that snapshot; null: only its
   * delay matters. If it cannot serve, the work runs on the primary.
   */
  async function withReplica<T>(
    hasAll: ((db: Reading) => Promise<boolean>) | null,
    work: () => Promise<T>,
  ): Promise<T> {
    lag.sample();
    if (performance.now() < pausedUntil) return missed(work);
    const { answer, decide } = decideOnce<T>();
    const giveUp = () => void decide(() => missed(work));
    const timer = setTimeout(() => {
      failed(tooSlowError());
      giveUp();
    }, ANSWER_WITHIN_MS);
    transact({ kysely, dialect, driver }, OPENING, async (reader) => {
      const serves = await mayServe(reader, hasAll);
      clearTimeout(timer);
      if (!serves) return;
      const snapshot = { reader, isUsable: true };
      // Errors of the work are passed on, and this transaction has nothing to roll back.
      await decide(() => snapshots.run(snapshot, work));
      snapshot.isUsable = false;
    })
      .catch(failed)
      .finally(() => {
        clearTimeout(timer);
        giveUp();
      });
    return answer;
  }

  function missed<T>(work: () => Promise<T>): Promise<T> {
    figures.missed += 1;
    return work();
  }

  /** Reads from the snapshot of the current work; from the primary if there is none or it does not answer. */
  async function read<T>(work: (db: Reading) => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    const snapshot = snapshots.getStore();
    if (!snapshot?.isUsable) return onPrimary();
    try {
      const result = await Promise.race([work(snapshot.reader), failWhenTooSlow()]);
      figures.used += 1;
      return result;
    } catch (error) {
      if (isProblem(error)) throw error;
      // A conflict with replication, a column that it does not have yet, a lost session: it is a read, so it is
      // repeated on the primary.
      snapshot.isUsable = false;
      failed(error);
      return onPrimary();
    }
  }

  return {
    withReplica,
    read,
    figures: (): ReplicaFigures => ({ ...figures, lagMs: lag.lastMs() }),
    close: () => kysely.destroy(),
  };
}

const tooSlowError = () => new Error('The replica takes too long.');

async function failWhenTooSlow(): Promise<never> {
  await sleep(ANSWER_WITHIN_MS, undefined, { ref: false });
  throw tooSlowError();
}

/** The result of the work that was chosen first; work that comes later is not run. */
function decideOnce<T>() {
  const { promise: answer, resolve, reject } = Promise.withResolvers<T>();
  let isDecided = false;
  async function decide(work: () => Promise<T>): Promise<void> {
    if (isDecided) return;
    isDecided = true;
    await work().then(resolve, reject);
  }
  return { answer, decide };
}

/**
 * How far the replica lags, by our own clock alone: the primary's position is recorded with the time at which it was
 * asked for, and a replica that has replayed it is at least as recent as that. (Its own `pg_last_xact_replay_timestamp`
 * is old if nothing is written, and looks fine if the replica has lost its primary.)
 */
function measureLag(positionOfPrimary: () => Promise<string>) {
  const samples: { askedAt: number; position: bigint }[] = [];
  let sampledAt = -Infinity;
  let provenAt = -Infinity;

  return {
    /** Records the primary's position regularly; never rejects. */
    sample() {
      const askedAt = performance.now();
      if (askedAt - sampledAt < SAMPLE_EVERY_MS) return;
      sampledAt = askedAt;
      positionOfPrimary().then(
        (text) => {
          samples.push({ askedAt, position: readPosition(text) });
          if (samples.length > SAMPLES_KEPT) samples.shift();
        },
        () => undefined,
      );
    },
    /** This many milliseconds ago the primary was at most at this position; Infinity if that is unknown. */
    provenMs(position: string | null): number {
      if (position === null) return Infinity;
      const replayed = readPosition(position);
      const newest = samples.findLast((sample) => sample.position <= replayed);
      if (newest) provenAt = newest.askedAt;
      return newest ? performance.now() - newest.askedAt : Infinity;
    },
    /** The same as it was last measured; null if nothing is known yet. */
    lastMs: (): number | null => (provenAt === -Infinity ? null : Math.round(performance.now() - provenAt)),
  };
}

/** `16/B374D848`, as PostgreSQL writes a position in its log. */
export function readPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { isProblem, problem, type Problem } from '#src/shared/problem.ts';

/** What the database's silence looks like from here. */
type ConnectionFault =
  /** The session was ended under us: whatever ran is rolled back, and a read may be asked again. */
  | 'terminated'
  /** No answer, or too slow. */
  | 'silent'
  /** It answers, but is out of connections, disk or memory. */
  | 'full';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
const BROKEN_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const TERMINATED_STATES = new Set(['57P01', '57P02', '57P05', '08006', '08003', '08P01']);
const SILENT_STATES = new Set(['57P03', '08000', '08001', '08004', '57014', '55P03', '25P03', '25P04']);
const FULL_STATES = new Set(['53000', '53100', '53200', '53300', '53400']);
const TERMINATED_TEXTS = [
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
];
const SILENT_TEXTS = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'timeout expired',
];

/** Tells a failing connection from a failing statement; null means the statement itself is at fault. */
export function connectionFaultOf(error: unknown): ConnectionFault | null {
  if (!(error instanceof Error) || isProblem(error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (SILENT_TEXTS.includes(error.message) || NETWORK_CODES.has(code) || SILENT_STATES.has(code)) return 'silent';
  if (TERMINATED_TEXTS.includes(error.message) || BROKEN_CODES.has(code) || TERMINATED_STATES.has(code))
    return 'terminated';
  if (FULL_STATES.has(code)) return 'full';
  // Node gathers the attempts on several addresses of one host.
  if (error instanceof AggregateError) return connectionFaultOf(error.errors[0]);
  return null;
}

/** After these the session cannot be used again: its state is unknown or it is gone. */
export function sessionIsLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const fault = connectionFaultOf(error);
  if (fault === 'terminated') return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return fault === 'silent' && (NETWORK_CODES.has(code) || SILENT_TEXTS.includes(error.message) || code === '25P03');
}

/** The problem that clients get: 503 with `Retry-After`. */
export function databaseUnavailable(cause: unknown): Problem {
  return problem('unavailable', 'The database does not answer. Please try again in a moment.', {
    retryAfterSeconds: 1,
    cause,
  });
}

/** Runs work on the database; a failing connection becomes the problem `unavailable`. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw connectionFaultOf(error) ? databaseUnavailable(error) : error;
  }
}

/**
 * Stops asking a database that hangs: after one connection that timed out, others are refused at
 * once for a second, then a single probe goes ahead (fault F15). Refused connections need no circuit:
 * they fail fast by themselves.
 */
export type Circuit = ReturnType<typeof createCircuit>;

/** @param pauseMs how long to leave the database alone @param now injected in tests */
export function createCircuit(pauseMs = 1000, now: () => number = Date.now) {
  let closedUntil = 0;
  let isOpen = false;
  return {
    /** True when a connection may be tried now. */
    mayTry() {
      if (!isOpen) return true;
      if (now() < closedUntil) return false;
      // This caller is the probe; the others wait for what it finds.
      closedUntil = now() + pauseMs;
      return true;
    },
    succeeded() {
      isOpen = false;
    },
    timedOut() {
      isOpen = true;
      closedUntil = now() + pauseMs;
    },
  };
}

/** Together below the three seconds within which every call is answered. */
const PATIENCE_MS = 900;
const SIGN_OF_LIFE_MS = 1_800;

/**
 * Tells a database that hangs from a statement that takes long (fault F15): work that has waited a while makes us ask the
 * database for a sign of life over another session. When none comes, and no other caller is answered meanwhile, calls fail at
 * once; their sessions are closed by the longer time limits of the pool.
 */
export function watchForSilence(options: {
  /** Resolves when the database answers in time, with whatever it says. */
  signOfLife: () => Promise<boolean>;
  patienceMs?: number;
}) {
  const { signOfLife, patienceMs = PATIENCE_MS } = options;
  let asking: Promise<boolean> | null = null;
  let answeredAt = -Infinity;
  const isAlive = () => (asking ??= signOfLife().finally(() => (asking = null)));

  return {
    /** Runs work; rejects as a query without an answer does when the database is silent meanwhile. `onSilence` is called first. */
    watch<T>(work: () => Promise<T>, onSilence?: () => void) {
      return new Promise<T>((resolve, reject) => {
        let timer: NodeJS.Timeout;
        let isOver = false;
        const look = async (): Promise<void> => {
          const askedAt = performance.now();
          // On a busy machine a new session takes long, while those that are there continue.
          const alive = (await isAlive()) || answeredAt >= askedAt;
          // On a busy machine the answer may lie unread beside ours.
          if (!alive) await nextTurn();
          if (isOver) return;
          if (alive) return void (timer = setTimeout(() => void look(), patienceMs));
          onSilence?.();
          reject(new Error('Query read timeout'));
        };
        timer = setTimeout(() => void look(), patienceMs);
        const end = (): void => {
          isOver = true;
          clearTimeout(timer);
        };
        work().then(
          (result) => {
            answeredAt = performance.now();
            end();
            resolve(result);
          },
          (error: unknown) => (end(), reject(error as Error)),
        );
      });
    },
  };
}

/** Opens a session and asks nothing of the tables; only silence counts as none: a refusal is an answer. */
export async function signOfLife(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sideline sign of life',
    connectionTimeoutMillis: SIGN_OF_LIFE_MS,
    query_timeout: SIGN_OF_LIFE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return !(error instanceof Error && /timeout/i.test(error.message));
  } finally {
    void client.end().catch(() => undefined);
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { isProblem, problem, type Problem } from '#src/shared/problem.ts';

/** Classifies how the database fails to answer. */
type ConnectionFault =
  /** The session was ended: its work is rolled back, and a read may be repeated. */
  | 'terminated'
  /** No answer, or too slow. */
  | 'silent'
  /** It answers, but has no connections, disk space or memory left. */
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

/** Distinguishes a failing connection from a failing statement; null means the statement itself is at fault. */
export function connectionFaultOf(error: unknown): ConnectionFault | null {
  if (!(error instanceof Error) || isProblem(error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (SILENT_TEXTS.includes(error.message) || NETWORK_CODES.has(code) || SILENT_STATES.has(code)) return 'silent';
  if (TERMINATED_TEXTS.includes(error.message) || BROKEN_CODES.has(code) || TERMINATED_STATES.has(code))
    return 'terminated';
  if (FULL_STATES.has(code)) return 'full';
  // Node collects the attempts on several addresses of one host.
  if (error instanceof AggregateError) return connectionFaultOf(error.errors[0]);
  return null;
}

/** SQLSTATE classes: wrong password or user; no such database. */
const REFUSING_CLASSES = new Set(['28', '3D']);
const REFUSING_TEXTS = /certificate|support SSL/i;

/** Why the database could not be used by a start, in one sentence; null if something else failed. */
export function whyUnusable(error: unknown): string | null {
  const reason: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(reason instanceof Error)) return null;
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : '';
  // A file that is missing is not a server that is.
  const isOfFile = code === 'ENOENT' && !('syscall' in reason && reason.syscall === 'connect');
  const fault = isOfFile ? null : connectionFaultOf(reason);
  if (fault === 'full') return `The database has no space or no sessions left: ${reason.message}.`;
  if (fault !== null) return `The database does not answer: ${reason.message}.`;
  return REFUSING_CLASSES.has(code.slice(0, 2)) || REFUSING_TEXTS.test(reason.message)
    ? `The database refuses the connection: ${reason.message}.`
    : null;
}

/** After these errors, and all that PostgreSQL did not send, a session cannot be used again: it is closed or in doubt. */
export function sessionIsLost(error: unknown): boolean {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return true;
  return connectionFaultOf(error) === 'terminated' || error.code === '25P03';
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
 * A circuit breaker for a database that hangs: after one connection that timed out, others are refused immediately for
 * a second, then a single probe is tried (fault F15). Refused connections need no circuit breaker: they fail fast.
 */
export type Circuit = ReturnType<typeof createCircuit>;

/** @param pauseMs how long the database is not asked @param now injected in tests */
export function createCircuit(pauseMs = 1000, now: () => number = Date.now) {
  let closedUntil = 0;
  let isOpen = false;
  return {
    /** True when a connection may be tried now. */
    mayTry() {
      if (!isOpen) return true;
      if (now() < closedUntil) return false;
      // This caller is the probe; the others wait for its result.
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
const PING_AFTER_MS = 900;
const SIGN_OF_LIFE_MS = 1_800;

/**
 * Distinguishes a database that hangs from a slow statement (fault F15): when work has waited for a while, the database
 * is pinged over another session. If it does not answer, and no other caller gets a result meanwhile, calls fail
 * immediately; their sessions are closed by the longer time limits of the pool.
 */
export function watchForSilence(options: {
  /** Resolves when the database answers in time, with any response. */
  signOfLife: () => Promise<boolean>;
  pingAfterMs?: number;
}) {
  const { signOfLife, pingAfterMs = PING_AFTER_MS } = options;
  let asking: Promise<boolean> | null = null;
  let answeredAt = -Infinity;
  const isAlive = () => (asking ??= signOfLife().finally(() => (asking = null)));

  return {
    /** Runs work; rejects like an unanswered query when the database is silent. `onSilence` is called first. */
    watch<T>(work: () => Promise<T>, onSilence?: () => void) {
      return new Promise<T>((resolve, reject) => {
        let timer: NodeJS.Timeout;
        let isOver = false;
        const check = async (): Promise<void> => {
          const askedAt = performance.now();
          // On a busy machine a new session takes long, while existing sessions work.
          const alive = (await isAlive()) || answeredAt >= askedAt;
          // On a busy machine the response may be waiting unread.
          if (!alive) await nextTurn();
          if (isOver) return;
          if (alive) return void (timer = setTimeout(() => void check(), pingAfterMs));
          onSilence?.();
          reject(new Error('Query read timeout'));
        };
        timer = setTimeout(() => void check(), pingAfterMs);
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

/** Opens a session and queries no table; only silence counts as a failure: a refusal is a response. */
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

import { isProblem, problem } from '#src/shared/problem.ts';
import type { Problem } from '#src/shared/problem.ts';

/** What the database's silence looks like from here. */
export type ConnectionFault =
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

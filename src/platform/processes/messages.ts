import { ConfigError } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { whyUnusable } from '#src/platform/db/connection-faults.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { isProblem } from '#src/shared/problem.ts';

/** The messages between the supervisor and its children (Node's own channel between processes). */
export type ToChild =
  /** Passwords are sent here and not in the environment, which other programs of the machine can read. */
  | { type: 'start'; addresses: DatabaseAddresses; name: string }
  | { type: 'stop' }
  /** Answered with `metrics` of the same number. */
  | { type: 'report metrics'; id: number }
  | { type: 'metrics of others'; id: number; texts: string[] };

export type FromChild =
  | { type: 'hello' }
  /** Serving, or handling jobs. */
  | { type: 'ready' }
  /** Answered with `metrics of others` of the same number. */
  | { type: 'ask metrics'; id: number }
  | { type: 'metrics'; id: number; text: string }
  /** Sent every few seconds; a child that falls silent hangs (fault F36). */
  | { type: 'alive' };

export const ALIVE_EVERY_MS = 5000;
export const SILENT_AFTER_MS = 30_000;
/** Longest time for work in progress when the product stops (fault F28). */
export const STOP_WITHIN_MS = 25_000;

/** The address to type into a browser on this machine. */
function siteAddress(host: string, port: number): string {
  const everywhere = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'];
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The one line that programs wait for (docs/requirements/running.md). */
export function announceReady(host: string, port: number): void {
  process.stdout.write(`Sideline is ready at ${siteAddress(host, port)}\n`);
}

/** The final message of a failed start or command: the sentence if it is meant for people, the whole error otherwise. */
export function describeFailedStart(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  if (isProblem(error)) return `${error.message}${reasonOf(error.cause)}`;
  return whyUnusable(error) ?? whyFileFailed(error) ?? wholeError(error);
}

/** A full disk, and a file that this account may not use, in one sentence; null for other errors. */
function whyFileFailed(error: unknown): string | null {
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: '' };
  if (code === 'ENOSPC' || code === 'EDQUOT') return `There is no space left: free some and try again (${message}).`;
  return ['EACCES', 'EPERM', 'EROFS'].includes(code) ? `This account may not use a file: ${message}.` : null;
}

/** The technical reason behind a refusal, which users do not see; a host with several addresses has one for each. */
function reasonOf(cause: unknown): string {
  const reason: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error && reason.message ? ` (${reason.message})` : '';
}

function wholeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

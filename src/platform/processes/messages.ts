import type { DatabaseAddresses } from '#src/platform/db/database-names.ts';

/** What the supervisor and its children say to each other (Node's own channel between processes). */
export type ToChild =
  /** Passwords travel here and not in the environment, which other programs of the machine may read. */
  { type: 'start'; addresses: DatabaseAddresses; name: string } | { type: 'stop' };

export type FromChild =
  | { type: 'hello' }
  /** Serving, or handling jobs. */
  | { type: 'ready' }
  /** Sent every few seconds; a child that falls silent hangs (fault F36). */
  | { type: 'alive' };

export const ALIVE_EVERY_MS = 5000;
export const SILENT_AFTER_MS = 30_000;
/** Longest time for what is in flight when the product stops (fault F28). */
export const STOP_WITHIN_MS = 25_000;

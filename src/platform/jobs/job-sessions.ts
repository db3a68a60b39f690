/** How pg-boss speaks to PostgreSQL: on sessions of its own, and within a transaction of ours. */
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Writer } from '#src/platform/db/db.ts';
import { UNUSED_SESSION_MS } from '#src/platform/db/kysely-driver.ts';
import { asPrepared, namesOfPrepared } from '#src/platform/db/prepared.ts';

/** The database's own limit of a statement. */
export const STATEMENT_MS = 30_000;

/**
 * Fetching and completing jobs, three or four times for each; and the question of `queue-watch.ts`, every second or two, of
 * which parsing and planning are nine tenths.
 */
const HOT = /^\s*(?:with\s+(?:next|results)\s+as|select\s+asked\.name)\s/i;
/** What a session runs more often is prepared: each statement takes memory, and most queues have one job in minutes. */
const UNPREPARED_TIMES = 4;
/** A plan made while a queue was empty reads all jobs of one that has been filled, until PostgreSQL analyzes the table. */
const TIMES_OF_A_PLAN = 20;

const nameOf = namesOfPrepared();

/** Prepares the statements of each job, whose text is the same for all jobs of a queue: pg-boss gives no names. */
class JobSession extends pg.Client {
  readonly #times = new Map<string, number>();

  // pg-boss and its pool call it in several forms, all of which are passed on.
  // oxlint-disable-next-line typescript/no-explicit-any -- the result depends on the form
  override query(first: unknown, values?: unknown, done?: unknown): any {
    const query = super.query.bind(this) as (...words: unknown[]) => unknown;
    const name = typeof first === 'string' && HOT.test(first) ? this.#nameOf(first) : undefined;
    return name === undefined ? query(first, values, done) : query({ name, text: first }, values, done);
  }

  #nameOf(text: string): string | undefined {
    const times = (this.#times.get(text) ?? 0) + 1;
    this.#times.set(text, times);
    if (times % TIMES_OF_A_PLAN === 0) super.query('discard plans').catch(() => undefined);
    return times > UNPREPARED_TIMES ? nameOf(asPrepared(text)) : undefined;
  }
}

/**
 * pg-boss passes these on to its pool; its types do not know them. A database host that vanishes never answers, and the
 * watch of queues waits for its answer.
 */
export const OF_THE_POOL = {
  idleTimeoutMillis: UNUSED_SESSION_MS,
  keepAlive: true,
  query_timeout: STATEMENT_MS + 2_000,
  Client: JobSession,
};

/** pg-boss within our transaction. Its text to insert jobs is the same per queue, and slow to parse. */
export function within(tx: Writer) {
  return {
    async executeSql(text: string, values?: unknown[]) {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(asPrepared(text), values ?? []));
      return { rows: [...rows] };
    },
  };
}

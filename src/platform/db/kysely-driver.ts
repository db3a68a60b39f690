import { CompiledQuery, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import type pg from 'pg';
import { sessionIsLost } from '#src/platform/db/connection-faults.ts';
import type { SessionPool } from '#src/platform/db/pool.ts';
import { preparedName } from '#src/platform/db/prepared.ts';

type Corkable = { cork(): void; uncork(): void };

/**
 * One session as Kysely sees it. Statements run one after the other, in the order in which they are asked for; those
 * that are asked for together travel together, without waiting for each other's answers.
 */
class Session implements DatabaseConnection {
  readonly client: pg.PoolClient;
  isLost = false;
  #isGathering = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** What is asked for until the present work pauses leaves in one packet. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = (this.client as unknown as { connection: { stream: Corkable } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#gather();
    try {
      const name = preparedName(query.sql);
      const values = query.parameters as unknown[];
      const result = await (name === undefined
        ? this.client.query(query.sql, values)
        : this.client.query({ name, text: query.sql, values }));
      // Several statements in one text answer a list, whose rows are not read.
      if (Array.isArray(result)) return { rows: [] };
      const { command, rowCount, rows } = result as pg.QueryResult;
      if (command === 'ROLLBACK' || command === 'COMMIT') return { rows: [{ command } as Row] };
      const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
      return changes ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as Row[] } : { rows: rows as Row[] };
    } catch (error) {
      if (sessionIsLost(error) || planIsStale(error)) this.isLost = true;
      throw error;
    }
  }

  // eslint-disable-next-line require-yield -- part of Kysely's interface
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not used here: lists are paged by key.');
  }
}

/** A migration has changed what a kept statement answers (feature_not_supported): a new session reads it anew. */
const planIsStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan');

/** Kysely's driver over our pool: a session in doubt is thrown away instead of going back. */
export class SessionDriver implements Driver {
  readonly #sessions: SessionPool;

  constructor(sessions: SessionPool) {
    this.#sessions = sessions;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(await this.#sessions.connect());
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await session.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    const { rows } = await session.executeQuery<{ command: string }>(CompiledQuery.raw('commit'));
    // PostgreSQL answers COMMIT with ROLLBACK when a statement had failed and its error was swallowed.
    if (rows[0]?.command === 'ROLLBACK')
      throw new Error('The transaction was rolled back: one of its statements had failed.');
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    try {
      await session.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      (session as Session).isLost = true;
      throw error;
    }
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    const { client, isLost } = session as Session;
    client.release(isLost);
  }

  async destroy(): Promise<void> {
    await this.#sessions.pool.end();
  }
}

/** Everything Kysely needs to speak PostgreSQL through a given driver. */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

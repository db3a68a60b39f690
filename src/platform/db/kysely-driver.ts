/** Kysely on a pool of pg sessions: their setup and time limits, and statements that are sent together. */
import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { preparedName } from '#src/platform/db/prepared.ts';
import { grouped, statementOf, type Statement } from '#src/platform/db/statement-group.ts';
import { createCircuit, type Circuit, sessionIsLost } from '#src/platform/db/connection-faults.ts';
import { observed, type ObserveStatement } from '#src/platform/telemetry/statements.ts';
import { currentWork, outside } from '#src/platform/telemetry/work.ts';

type PoolOptions = {
  url: string;
  /** Assumed after connecting (`set role`), so that row-level security applies even if the url logs in as the tables' owner. */
  role: string | null;
  applicationName: string;
  maxConnections: number;
  /** Longest wait for a free connection, and for a new one. */
  slotWaitMs: number;
  /** Longest run of one statement; the server then ends it. */
  statementTimeoutMs: number;
  /** Whether a commit waits until it is on the disk; true if it is left out. */
  waitsForDisk?: boolean;
  /** Called for every session that breaks; without a listener Node would exit. */
  onIdleError: (error: Error) => void;
};

/** A pool of sessions with their time limits, and the circuit in front of it. */
type SessionPool = {
  pool: pg.Pool;
  connect(): Promise<pg.PoolClient>;
  circuit: Circuit;
  /** Whether the next caller waits until another one has finished. */
  isTaken(): boolean;
};

/** The messages of the pool and of the client for a new session that got no answer: their two timers run in parallel. */
const CONNECT_TIMEOUTS = new Set(['Connection terminated due to connection timeout', 'timeout expired']);
/** The pool's message for a timeout in the queue; also what we say while the circuit is open. */
const QUEUE_TIMEOUT = 'timeout exceeded when trying to connect';

/** How long an unused session stays open: longer than a minute, so that what runs each minute need not open one again. */
export const UNUSED_SESSION_MS = 90_000;

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is too large for a number`);
  return value;
}

/** bigint becomes a number (our ids and cents stay below 2^53), a date stays text; citext is text already. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return safeInteger;
    if (oid === INT8_ARRAY)
      return (text: string) =>
        text === '{}'
          ? []
          : text
              .slice(1, -1)
              .split(',')
              .map((item) => (item === 'NULL' ? null : safeInteger(item)));
    if (oid === DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/**
 * Statements have no name, so they are planned for their values (gallery sizes differ by a factor of a thousand); for
 * those with a name (`prepared.ts`) PostgreSQL may cache the plan once it costs no more than plans for values. Times
 * are UTC; no idle session holds locks.
 */
function sessionSetup(options: PoolOptions): string {
  const settings = [
    `set application_name = ${pg.escapeLiteral(options.applicationName)}`,
    "set timezone = 'UTC'",
    'set plan_cache_mode = auto',
    `set statement_timeout = ${options.statementTimeoutMs}`,
    'set idle_in_transaction_session_timeout = 30000',
  ];
  if (options.waitsForDisk === false) settings.push('set synchronous_commit = off');
  if (options.role) settings.push(`set role ${pg.escapeIdentifier(options.role)}`);
  return settings.join('; ');
}

/** Opens no connection yet. */
export function createSessionPool(options: PoolOptions): SessionPool {
  const connected = new Set<pg.ClientBase>();
  const pool = new pg.Pool({
    connectionString: options.url,
    types: typeParsers,
    max: options.maxConnections,
    connectionTimeoutMillis: options.slotWaitMs,
    query_timeout: options.statementTimeoutMs + 2000,
    idleTimeoutMillis: UNUSED_SESSION_MS,
    keepAlive: true,
    // Statements that start together are sent together.
    pipeline: true,
    onConnect: async (client) => {
      // The pool listens only while a session is idle; a session that breaks during work would make Node exit.
      client.on('error', options.onIdleError);
      await client.query(sessionSetup(options));
      connected.add(client);
    },
  });
  pool.on('error', options.onIdleError);
  pool.on('remove', (client) => connected.delete(client));
  /** When a session last came back from its work, by `performance.now()`: the database answered then. */
  let answeredAt = -Infinity;
  pool.on('release', (error) => {
    if (!error) answeredAt = performance.now();
  });
  const circuit = createCircuit();

  /** A wait for busy sessions is not a fault of the database; a wait for a session that cannot be opened is. */
  function databaseIsSilent(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    return CONNECT_TIMEOUTS.has(error.message) || (error.message === QUEUE_TIMEOUT && pool.totalCount > connected.size);
  }

  return {
    pool,
    circuit,
    isTaken: () => pool.idleCount === 0 && pool.totalCount >= options.maxConnections,
    async connect() {
      if (!circuit.mayTry()) throw new Error(QUEUE_TIMEOUT);
      const askedAt = performance.now();
      try {
        // Later events of a session do not concern the work that uses it.
        const client = await outside(() => pool.connect());
        circuit.succeeded();
        return client;
      } catch (error) {
        // On a busy machine a new session takes long, while existing sessions work.
        if (databaseIsSilent(error) && answeredAt < askedAt) circuit.timedOut();
        throw error;
      }
    },
  };
}

/** Ends a transaction: sent alone, whatever happened to the statements before it. */
const ENDINGS = new Set(['commit', 'rollback']);

/**
 * One session as Kysely sees it. Statements run one after the other, in the order in which they start; those that start
 * before the present work awaits are sent together, without waiting for each other's results. Only a transaction starts
 * several.
 */
export class Session implements DatabaseConnection {
  readonly client: pg.PoolClient;
  isLost = false;
  #gathered: Statement[] = [];
  readonly #observe: ObserveStatement | null;

  constructor(client: pg.PoolClient, observe: ObserveStatement | null) {
    this.client = client;
    this.#observe = observe;
  }

  #sendGathered(): void {
    if (this.#gathered.length === 0) return;
    this.client.query(grouped(this.#gathered));
    this.#gathered = [];
  }

  #send({ sql: text, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    if (ENDINGS.has(text)) {
      this.#sendGathered();
      return this.client.query(text);
    }
    if (this.#gathered.length === 0) process.nextTick(() => this.#sendGathered());
    const { query, answer } = statementOf(
      { name: preparedName(text), text, values: parameters as unknown[] },
      typeParsers,
    );
    this.#gathered.push(query);
    return answer;
  }

  /** Not observed: it is answered with the statements that follow, and would be as slow as they are. */
  async open(statements: readonly string[]): Promise<void> {
    await Promise.all(statements.map((text) => this.#execute(CompiledQuery.raw(text))));
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return observed(query.sql, this.#observe, () => this.#execute<Row>(query));
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { command, rowCount, rows } = await this.#send(query);
      if (command === 'ROLLBACK' || command === 'COMMIT') return { rows: [{ command } as Row] };
      const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
      return changes ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as Row[] } : { rows: rows as Row[] };
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error);
      if (sessionIsLost(error) || planIsStale(error)) this.isLost = true;
      throw error;
    }
  }

  // eslint-disable-next-line require-yield -- part of Kysely's interface
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not used here: lists are paged by key.');
  }
}

/** A migration has changed the result of a prepared statement (feature_not_supported): a new session prepares it again. */
const planIsStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan');

/** Kysely's driver for our pool: a session in doubt is closed instead of returned. */
export class SessionDriver implements Driver {
  readonly #sessions: SessionPool;
  readonly #forCheckout: SessionPool | null;
  readonly #observe: ObserveStatement | null;

  /** @param observe called for every statement @param forCheckout used by a checkout that finds all other sessions in use */
  constructor(
    sessions: SessionPool,
    {
      observe = null,
      forCheckout = null,
    }: { observe?: ObserveStatement | null; forCheckout?: SessionPool | null } = {},
  ) {
    this.#sessions = sessions;
    this.#forCheckout = forCheckout;
    this.#observe = observe;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    const isShort = currentWork()?.isCheckout === true && this.#sessions.isTaken();
    const sessions = (isShort && this.#forCheckout) || this.#sessions;
    return new Session(await sessions.connect(), this.#observe);
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await session.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    const { rows } = await session.executeQuery<{ command: string }>(CompiledQuery.raw('commit'));
    // PostgreSQL answers COMMIT with ROLLBACK if a statement failed and its error was swallowed.
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

  /** The session is connected to a server that is (now) read-only: the next caller gets a new connection. */
  leave(session: DatabaseConnection): void {
    (session as Session).isLost = true;
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    const { client, isLost } = session as Session;
    client.release(isLost);
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#sessions.pool.end(), this.#forCheckout?.pool.end()]);
  }
}

/** Everything that Kysely needs to use PostgreSQL through a given driver. */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

import pg from 'pg';
import { createCircuit } from '#src/platform/db/circuit.ts';
import type { Circuit } from '#src/platform/db/circuit.ts';

export type PoolOptions = {
  url: string;
  /** Taken after connecting (`set role`), so that row-level security binds even where the url signs in as the tables' owner. */
  role: string | null;
  applicationName: string;
  maxConnections: number;
  /** Longest wait for a free connection, and for a new one. */
  slotWaitMs: number;
  /** Longest run of one statement; the server ends it then. */
  statementTimeoutMs: number;
  /** Told of every session that breaks; without a listener Node would end the process. */
  onIdleError: (error: Error) => void;
};

/** A pool of sessions with their time limits, and the circuit in front of it. */
export type SessionPool = { pool: pg.Pool; connect(): Promise<pg.PoolClient>; circuit: Circuit };

/** The pool's words and the client's for a new session that got no answer: their two clocks run side by side. */
const CONNECT_TIMEOUTS = new Set(['Connection terminated due to connection timeout', 'timeout expired']);
/** Its word for a wait in the queue; also what we say while the circuit is open. */
const QUEUE_TIMEOUT = 'timeout exceeded when trying to connect';

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
 * Statements are planned for their values (gallery sizes differ by a thousand), because they have no name; of those
 * that have one (`prepared.ts`) PostgreSQL may keep the plan once it costs no more than those for values. Times are UTC;
 * no idle session holds locks.
 */
function sessionSetup(options: PoolOptions): string {
  const settings = [
    `set application_name = ${pg.escapeLiteral(options.applicationName)}`,
    "set timezone = 'UTC'",
    'set plan_cache_mode = auto',
    `set statement_timeout = ${options.statementTimeoutMs}`,
    'set idle_in_transaction_session_timeout = 30000',
  ];
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
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // Statements that are asked for together are sent together.
    pipeline: true,
    onConnect: async (client) => {
      // The pool listens only while a session is idle; one that breaks at work would end the process.
      client.on('error', options.onIdleError);
      await client.query(sessionSetup(options));
      connected.add(client);
    },
  });
  pool.on('error', options.onIdleError);
  pool.on('remove', (client) => connected.delete(client));
  const circuit = createCircuit();

  /** Waiting behind busy sessions is no fault of the database; waiting for a session that does not come is. */
  function databaseIsSilent(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    return CONNECT_TIMEOUTS.has(error.message) || (error.message === QUEUE_TIMEOUT && pool.totalCount > connected.size);
  }

  return {
    pool,
    circuit,
    async connect() {
      if (!circuit.mayTry()) throw new Error(QUEUE_TIMEOUT);
      try {
        const client = await pool.connect();
        circuit.succeeded();
        return client;
      } catch (error) {
        if (databaseIsSilent(error)) circuit.timedOut();
        throw error;
      }
    },
  };
}

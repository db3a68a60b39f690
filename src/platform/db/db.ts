import { CompiledQuery, Kysely, Transaction, sql, type DatabaseConnection, type Insertable } from 'kysely';
import {
  connectionFaultOf,
  databaseUnavailable,
  signOfLife,
  watchForSilence,
} from '#src/platform/db/connection-faults.ts';
import { createListener } from '#src/platform/db/listener.ts';
import type { Schema } from '#src/platform/db/schema.ts';
import { SessionDriver, postgresDialect, createSessionPool } from '#src/platform/db/kysely-driver.ts';

export type { Schema } from '#src/platform/db/schema.ts';

/** What functions of `x.sql.ts` that read take first, named `db`. */
export type Reader = Kysely<Schema>;
/** What functions of `x.sql.ts` that write take first, named `tx`. */
export type Writer = Transaction<Schema>;
/** A row to insert: each of these columns must be said, also one that may be null. */
export type RowOf<Table extends keyof Schema, Column extends keyof Insertable<Schema[Table]>> = Required<
  Pick<Insertable<Schema[Table]>, Column>
>;

export type Database = {
  /**
   * Reads within a scope. Public: straight from the pool, no transaction. Others: a read-only transaction.
   * When the session is ended under it, the work runs again, so it must do nothing but read.
   * Problems: unavailable (503) when the database does not answer.
   */
  read<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T>;
  /** Writes within a scope, all or nothing. Problems: unavailable. Never retried. */
  write<T>(scope: Scope, work: (tx: Writer) => Promise<T>): Promise<T>;
  /** Notifies every process that listens on the channel. At most 7,999 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Receives notices until the returned function is called. Some may be missed while the database is away. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /** Problems: unavailable. */
  check(): Promise<void>;
  /** Sessions in use and callers who wait for one. */
  load(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** `appUrl` of the addresses. */
  url: string;
  /** `appRole` of the addresses. */
  role?: string | null;
  /** Shown in `pg_stat_activity`: `sideline web 1`. */
  applicationName: string;
  maxConnections?: number;
  slotWaitMs?: number;
  statementTimeoutMs?: number;
  /** For processes that people wait for: a database that hangs fails calls within three seconds. Others wait for their statements. */
  tellsSilence?: boolean;
  /** Called for broken sessions, for the log. */
  onError?: (error: Error) => void;
};

/**
 * Opens the database for an app process. Rejects when it does not answer or when the role it
 * would work as is not bound by row-level security.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const onError = options.onError ?? (() => undefined);
  const sessions = createSessionPool({
    url: options.url,
    role: options.role ?? null,
    applicationName: options.applicationName,
    maxConnections: options.maxConnections ?? 10,
    slotWaitMs: options.slotWaitMs ?? 2000,
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
    onIdleError: onError,
  });
  const driver = new SessionDriver(sessions);
  const dialect = postgresDialect(driver);
  const kysely = new Kysely<Schema>({ dialect });
  const connections: Connections = { kysely, dialect, driver };
  const listener = createListener({ url: options.url, applicationName: options.applicationName, onError });

  function readOnce<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T> {
    return scope.kind === 'public' ? work(kysely) : transact(connections, 'read', scope, work);
  }

  const patience: Patience = {
    silence: options.tellsSilence ? watchForSilence({ signOfLife: () => signOfLife(options.url) }) : null,
    timedOut: () => sessions.circuit.timedOut(),
  };

  const database: Database = {
    read: (scope, work) =>
      asProblem(patience, async () => {
        try {
          return await readOnce(scope, work);
        } catch (error) {
          if (connectionFaultOf(error) !== 'terminated') throw error;
          return readOnce(scope, work);
        }
      }),
    write: (scope, work) => asProblem(patience, (gaveUp) => transact(connections, 'write', scope, work, gaveUp)),
    notify: (channel, payload) =>
      asProblem(patience, async () => void (await sql`select pg_notify(${channel}, ${payload})`.execute(kysely))),
    listen: (channel, heard) => listener.listen(channel, heard),
    check: () => asProblem(patience, async () => void (await sql`select 1`.execute(kysely))),
    load: () => ({
      total: sessions.pool.totalCount,
      idle: sessions.pool.idleCount,
      waiting: sessions.pool.waitingCount,
    }),
    async close() {
      await listener.close();
      await kysely.destroy();
    },
  };

  try {
    await asProblem(patience, () => checkAppRole(kysely));
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

type Connections = { kysely: Kysely<Schema>; dialect: ReturnType<typeof postgresDialect>; driver: SessionDriver };

/** `silence`: null in processes that no one waits for. */
type Patience = { silence: ReturnType<typeof watchForSilence> | null; timedOut: () => void };

/**
 * One round trip for begin and scope, one for commit. A read sends its first statement with them: should they fail,
 * row-level security lets it find nothing.
 */
async function transact<T>(
  { kysely, dialect, driver }: Connections,
  kind: 'read' | 'write',
  scope: Scope,
  work: (tx: Writer) => Promise<T>,
  gaveUp: AbortSignal | null = null,
): Promise<T> {
  const begin = kind === 'read' ? 'begin read only' : 'begin';
  const opening = CompiledQuery.raw(`${begin}; select set_config('app.organization_ids', '${scopeText(scope)}', true)`);
  const executor = kysely.getExecutor();
  return executor.provideConnection(async (connection: DatabaseConnection) => {
    const bounded = untilItEnds(connection);
    const bound = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(bounded.connection) });
    // A caller who was told that the database is silent must not have anything written later.
    gaveUp?.addEventListener('abort', () => bounded.end(), { once: true });
    const tx = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor: bound });
    const opened = connection.executeQuery(opening);
    if (kind === 'read') opened.catch(() => undefined);
    else await opened;
    try {
      const result = await work(tx);
      await opened;
      // After a silence the work's own next statement failed, or this is where it ends: nothing is committed.
      if (gaveUp?.aborted) throw new Error('The transaction has ended.');
      bounded.end();
      await driver.commitTransaction(connection);
      return result;
    } catch (error) {
      // The first error is the one to tell; a session that cannot even roll back is thrown away.
      bounded.end();
      await driver.rollbackTransaction(connection).catch(() => undefined);
      await opened;
      throw error;
    }
  });
}

/** Runs the attempt; a fault of the connection becomes a problem, a silence ends it. Problems: unavailable. */
async function asProblem<T>(
  { silence, timedOut }: Patience,
  attempt: (gaveUp: AbortSignal | null) => Promise<T>,
): Promise<T> {
  try {
    if (silence === null) return await attempt(null);
    const gaveUp = new AbortController();
    return await silence.watch(
      () => attempt(gaveUp.signal),
      () => {
        timedOut();
        gaveUp.abort();
      },
    );
  } catch (error) {
    throw connectionFaultOf(error) ? databaseUnavailable(error) : error;
  }
}

/** A session for the length of a transaction: work that continues after its end would otherwise write outside of it. */
function untilItEnds(session: DatabaseConnection): { connection: DatabaseConnection; end(): void } {
  let hasEnded = false;
  return {
    connection: {
      executeQuery: async (query) => {
        if (hasEnded) throw new Error('The transaction has ended.');
        return session.executeQuery<never>(query);
      },
      streamQuery: (query, chunkSize) => session.streamQuery(query, chunkSize),
    },
    end: () => void (hasEnded = true),
  };
}

/** Whose rows a piece of work may touch; the database holds it to that (row-level security). */
export type Scope =
  /** Only public rows are visible; nothing can be written. */
  | { kind: 'public' }
  | { kind: 'tenants'; organizationIds: readonly number[] }
  /** Our own work; `why` is for the reader. */
  | { kind: 'system'; why: string };

/** The scope of the organization that owns this: a gallery, a photo, an order. */
export const tenantOf = ({ organizationId }: { organizationId: number }): Scope => ({
  kind: 'tenants',
  organizationIds: [organizationId],
});

/** The value of `app.organization_ids`. Digits, commas or a star only, so that it is safe in a statement's text. */
export function scopeText(scope: Scope): string {
  if (scope.kind === 'public') return '';
  if (scope.kind === 'system') return '*';
  for (const id of scope.organizationIds) {
    if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`not an organization id: ${id}`);
  }
  return scope.organizationIds.join(',');
}

/** Row-level security protects tenants only if it binds the role that serves requests; otherwise the start fails. */
async function checkAppRole<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ role: string; mighty: boolean; owner: boolean }>`
    select current_user as role, r.rolsuper or r.rolbypassrls as mighty,
           exists (select 1 from pg_class c where c.relrowsecurity and pg_has_role(current_user, c.relowner, 'usage')) as owner
      from pg_roles r where r.rolname = current_user`.execute(db);
  const found = rows[0];
  if (!found || found.mighty || found.owner) {
    throw new Error(
      `The database role ${found?.role ?? '?'} is not bound by row-level security, so requests must not be served with it.`,
    );
  }
}

import { Kysely, sql, type Insertable, type Transaction } from 'kysely';
import {
  connectionFaultOf,
  databaseUnavailable,
  signOfLife,
  watchForSilence,
} from '#src/platform/db/connection-faults.ts';
import { createListener } from '#src/platform/db/listener.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import { openReplica, type ReplicaFigures } from '#src/platform/db/replica.ts';
import type { ObserveStatement } from '#src/platform/telemetry/statements.ts';
import type { Schema } from '#src/platform/db/schema.ts';
import { SessionDriver, postgresDialect, createSessionPool } from '#src/platform/db/kysely-driver.ts';
import { transact, type Connections } from '#src/platform/db/transact.ts';

export type { Schema } from '#src/platform/db/schema.ts';

/** What functions of `x.sql.ts` that read take first, named `db`. */
export type Reader = Kysely<Schema>;
/** What functions of `x.sql.ts` that write take first, named `tx`. */
export type Writer = Transaction<Schema>;
/** A row to insert: each of these columns must be said, also one that may be null. */
export type RowOf<Table extends keyof Schema, Column extends keyof Insertable<Schema[Table]>> = Required<
  Pick<Insertable<Schema[Table]>, Column>
>;

export type PoolLoad = { total: number; idle: number; waiting: number; most: number };

export type Database = {
  /**
   * Reads within a scope. Public: straight from the pool, no transaction. Others: a read-only transaction.
   * When the session is ended under it, the work runs again, so it must do nothing but read.
   * Problems: unavailable (503) when the database does not answer.
   */
  read<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T>;
  /** Reads many things as of one moment, for as long as it takes; for work that no user waits for. Problems: unavailable. */
  snapshot<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T>;
  /** Writes within a scope, all or nothing. Problems: unavailable. Never retried. */
  write<T>(scope: Scope, work: (tx: Writer) => Promise<T>): Promise<T>;
  /**
   * Runs reading work whose statements with `mayLag` in their scope may be answered by the replica, where there is one.
   * `hasAll` looks whether it has what the work must see; null: being at most so far behind is enough. Only for what is shown to
   * everybody alike: never rights, money, or anything behind a session (decision record 0068).
   */
  besideReplica<T>(hasAll: ((db: Reader) => Promise<boolean>) | null, work: () => Promise<T>): Promise<T>;
  /** What the replica did; null without one. */
  replicaFigures(): ReplicaFigures | null;
  /** Notifies every process that listens on the channel. At most 7,999 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Receives notices until the returned function is called. Some may be missed while the database is away. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /** Problems: unavailable. */
  check(): Promise<void>;
  /** Sessions in use and callers who wait for one. */
  load(): PoolLoad;
  /** The same of the sessions that are kept free for checkouts; null where there are none. */
  loadForCheckout: (() => PoolLoad) | null;
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
  /** Sessions for checkouts that find all others taken; none if it is left out. */
  checkoutConnections?: number;
  slotWaitMs?: number;
  statementTimeoutMs?: number;
  /** For processes that people wait for: a database that hangs fails calls within three seconds. Others wait for their statements. */
  tellsSilence?: boolean;
  /** Called for broken sessions, for the log. */
  onError?: (error: Error) => void;
  /** A read-only copy of the same database; null or left out: there is none. */
  replica?: { url: string; maxLagMs: number } | null;
  /** Told of every statement. */
  onStatement?: ObserveStatement;
};

/**
 * Opens the database for an app process. Rejects when it does not answer or when the role it
 * would work as is not bound by row-level security.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const onError = options.onError ?? (() => undefined);
  const settings = {
    url: options.url,
    role: options.role ?? null,
    applicationName: options.applicationName,
    slotWaitMs: options.slotWaitMs ?? 2000,
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
    onIdleError: onError,
  };
  const sessions = createSessionPool({ ...settings, maxConnections: options.maxConnections ?? 10 });
  const { checkoutConnections = 0 } = options;
  const forCheckout =
    checkoutConnections > 0 ? createSessionPool({ ...settings, maxConnections: checkoutConnections }) : null;
  const driver = new SessionDriver(sessions, { observe: options.onStatement ?? null, forCheckout });
  const dialect = postgresDialect(driver);
  const kysely = new Kysely<Schema>({ dialect });
  const connections: Connections = { kysely, dialect, driver };
  const listener = createListener({ url: options.url, applicationName: options.applicationName, onError });

  const replica = options.replica
    ? openReplica({
        ...options.replica,
        role: settings.role,
        applicationName: `${options.applicationName} replica`,
        onError,
        positionOfPrimary: async () => {
          const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(kysely);
          return rows[0]?.at ?? '';
        },
      })
    : null;

  function readOnce<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T> {
    if (scope.kind !== 'public') return transact(connections, opening('begin read only', scope), work);
    return replica && scope.mayLag ? replica.read(work, () => work(kysely)) : work(kysely);
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
    snapshot: (scope, work) =>
      asProblem(patience, () =>
        transact(connections, opening('begin isolation level repeatable read read only', scope), work),
      ),
    write: (scope, work) =>
      asProblem(patience, (gaveUp) => transact(connections, opening('begin', scope), work, gaveUp)),
    besideReplica: (hasAll, work) => (replica ? replica.besideReplica(hasAll, work) : work()),
    replicaFigures: () => replica?.figures() ?? null,
    notify: (channel, payload) =>
      asProblem(
        patience,
        async () => void (await sql`${prepared}select pg_notify(${channel}, ${payload})`.execute(kysely)),
      ),
    listen: (channel, heard) => listener.listen(channel, heard),
    check: () => asProblem(patience, async () => void (await sql`select 1`.execute(kysely))),
    load: () => loadOf(sessions),
    loadForCheckout: forCheckout && (() => loadOf(forCheckout)),
    async close() {
      await listener.close();
      await Promise.all([kysely.destroy(), replica?.close()]);
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

const loadOf = ({ pool }: ReturnType<typeof createSessionPool>): PoolLoad => ({
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  most: pool.options.max,
});

/** `silence`: null in processes that no one waits for. */
type Patience = { silence: ReturnType<typeof watchForSilence> | null; timedOut: () => void };

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

/** Whose rows a piece of work may touch; the database holds it to that (row-level security). */
export type Scope =
  /** Only public rows are visible; nothing can be written. `mayLag`: within `besideReplica`, the replica may answer. */
  | { kind: 'public'; mayLag?: true }
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

/** Should it fail, row-level security lets the statements that came with it find and write nothing. */
const opening = (begin: string, scope: Scope) => `${begin}; set local app.organization_ids = '${scopeText(scope)}'`;

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

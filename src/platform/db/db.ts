/** The database as the rest of the product uses it: reads and writes within a scope of organizations. */
import { Kysely, sql, type Insertable, type Transaction } from 'kysely';
import {
  connectionFaultOf,
  databaseUnavailable,
  signOfLife,
  watchForSilence,
} from '#src/platform/db/connection-faults.ts';
import { createListener } from '#src/platform/db/listener.ts';
import { asPrepared, prepared } from '#src/platform/db/prepared.ts';
import { openReplica, type ReplicaFigures } from '#src/platform/db/replica.ts';
import type { ObserveStatement } from '#src/platform/telemetry/statements.ts';
import type { Schema } from '#src/platform/db/schema.ts';
import { SessionDriver, postgresDialect, createSessionPool } from '#src/platform/db/kysely-driver.ts';
import { transact, type Connections } from '#src/platform/db/transact.ts';

export type { Schema } from '#src/platform/db/schema.ts';

/** First argument, named `db`, of functions of `.sql.ts` files that read. */
export type Reader = Kysely<Schema>;
/** First argument, named `tx`, of functions of `.sql.ts` files that write. */
export type Writer = Transaction<Schema>;
/** A row to insert: each of these columns must be given, also nullable ones. */
export type RowOf<Table extends keyof Schema, Column extends keyof Insertable<Schema[Table]>> = Required<
  Pick<Insertable<Schema[Table]>, Column>
>;

export type PoolLoad = { total: number; idle: number; waiting: number; most: number };

export type Database = {
  /**
   * Reads within a scope. Public: straight from the pool, no transaction. Others: a read-only transaction. If the
   * session ends during the read, the work runs again, so it must only read. Problems: unavailable (503) if the
   * database does not answer.
   */
  read<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T>;
  /** Reads a consistent snapshot, however long it takes; for work that no user waits for. Problems: unavailable. */
  snapshot<T>(scope: Scope, work: (db: Reader) => Promise<T>): Promise<T>;
  /** Writes within a scope, all or nothing. Problems: unavailable. Never retried. */
  write<T>(scope: Scope, work: (tx: Writer) => Promise<T>): Promise<T>;
  /**
   * Runs reading work; the replica may answer statements whose scope has `mayLag`, if there is one. `hasAll` checks
   * whether it has what the work must see; null: a limited delay is enough. Only for what is shown to everyone: never
   * rights, money, or anything behind a session (decision record 0068).
   */
  withReplica<T>(hasAll: ((db: Reader) => Promise<boolean>) | null, work: () => Promise<T>): Promise<T>;
  /** Counts what the replica did; null without one. */
  replicaFigures(): ReplicaFigures | null;
  /** Notifies every process that listens on the channel. At most 7,999 bytes a payload. */
  notify(channel: string, ...payloads: string[]): Promise<void>;
  /** Receives notices until the returned function is called. Notifications may be missed while the database is unreachable. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  /** Problems: unavailable. */
  check(): Promise<void>;
  /** Sessions in use and callers who wait for one. */
  load(): PoolLoad;
  /** The same for the sessions that are reserved for checkouts; null if there are none. */
  loadForCheckout: (() => PoolLoad) | null;
  close(): Promise<void>;
};

type DatabaseOptions = {
  /** `appUrl` of the addresses. */
  url: string;
  /** `appRole` of the addresses. */
  role?: string | null;
  /** Shown in `pg_stat_activity`: `sideline web 1`. */
  applicationName: string;
  maxConnections?: number;
  /** Sessions for checkouts that find all others in use; none if it is left out. */
  checkoutConnections?: number;
  slotWaitMs?: number;
  statementTimeoutMs?: number;
  /**
   * For processes that people wait for: calls fail within three seconds if the database hangs. Other processes wait for
   * their statements.
   */
  reportsSilence?: boolean;
  /** Called for broken sessions, for the log. */
  onError?: (error: Error) => void;
  /** A read-only copy of the same database; null or left out: there is none. */
  replica?: { url: string; maxLagMs: number } | null;
  /** Called for every statement. */
  onStatement?: ObserveStatement;
};

/**
 * Opens the database for an app process. Rejects if it does not answer, or if row-level security does not apply to the
 * role it would use.
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

  const faultWatch: FaultWatch = {
    silence: options.reportsSilence ? watchForSilence({ signOfLife: () => signOfLife(options.url) }) : null,
    timedOut: () => sessions.circuit.timedOut(),
  };

  const database: Database = {
    read: (scope, work) =>
      asProblem(faultWatch, async () => {
        try {
          return await readOnce(scope, work);
        } catch (error) {
          if (connectionFaultOf(error) !== 'terminated') throw error;
          return readOnce(scope, work);
        }
      }),
    snapshot: (scope, work) =>
      asProblem(faultWatch, () =>
        transact(connections, opening('begin isolation level repeatable read read only', scope), work),
      ),
    write: (scope, work) =>
      asProblem(faultWatch, (gaveUp) => transact(connections, opening('begin', scope), work, gaveUp)),
    withReplica: (hasAll, work) => (replica ? replica.withReplica(hasAll, work) : work()),
    replicaFigures: () => replica?.figures() ?? null,
    notify: (channel, ...payloads) =>
      asProblem(faultWatch, async () => {
        await sql`${prepared}
          select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(kysely);
      }),
    listen: (channel, onPayload) => listener.listen(channel, onPayload),
    check: () => asProblem(faultWatch, async () => void (await sql`select 1`.execute(kysely))),
    load: () => loadOf(sessions),
    loadForCheckout: forCheckout && (() => loadOf(forCheckout)),
    async close() {
      await listener.close();
      await Promise.all([kysely.destroy(), replica?.close()]);
    },
  };

  try {
    await asProblem(faultWatch, () => checkAppRole(kysely));
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

/** `silence`: null in processes that no user waits for. */
type FaultWatch = { silence: ReturnType<typeof watchForSilence> | null; timedOut: () => void };

/** Runs the attempt; a connection fault becomes a problem, and silence ends it. Problems: unavailable. */
async function asProblem<T>(
  { silence, timedOut }: FaultWatch,
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

/** Whose rows the work may see and write; the database enforces it (row-level security). */
export type Scope =
  /** Only public rows are visible; nothing can be written. `mayLag`: within `withReplica`, the replica may answer. */
  | { kind: 'public'; mayLag?: true }
  | { kind: 'tenants'; organizationIds: readonly number[] }
  /** The product's own work; `why` is for the reader. */
  | { kind: 'system'; why: string };

/** Only what everyone may see. */
export const PUBLIC: Scope = { kind: 'public' };

export const tenantScope = (...organizationIds: readonly number[]): Scope => ({ kind: 'tenants', organizationIds });

/** The scope of the organization that owns this gallery, photo or order. */
export const tenantOf = ({ organizationId }: { organizationId: number }): Scope => tenantScope(organizationId);

/** The value of `app.organization_ids`. Digits, commas or a star only, so that it is safe in a statement's text. */
export function scopeText(scope: Scope): string {
  if (scope.kind === 'public') return '';
  if (scope.kind === 'system') return '*';
  for (const id of scope.organizationIds) {
    if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`not an organization id: ${id}`);
  }
  return scope.organizationIds.join(',');
}

/** If one fails, PostgreSQL skips the statements that were sent with it. */
const opening = (begin: string, scope: Scope) => {
  const setScope = `set local app.organization_ids = '${scopeText(scope)}'`;
  return [asPrepared(begin), scope.kind === 'tenants' ? setScope : asPrepared(setScope)];
};

/** Row-level security protects tenants only if it applies to the role that serves requests; otherwise the start fails. */
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

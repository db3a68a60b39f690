/**
 * The embedded PostgreSQL below `DATA_DIR`: starts it, adopts one that is still running, and stops it. Its folder, its
 * passwords and the account that it runs as are in `embedded-cluster.ts`; `processes/database-host.ts` restarts it when
 * it ends.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rm, stat, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { archiveSettings } from '#src/platform/db/wal-archive.ts';
import { DATABASE_NAME } from '#src/platform/db/client.ts';
import {
  embeddedPasswords,
  embeddedPaths,
  ensureCluster,
  findPostgresBinaries,
  postgresEnvironment,
  choosePostgresAccount,
  idsOf,
  makeFolderFor,
  type PostgresAccount,
} from '#src/platform/db/embedded-cluster.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

export type EmbeddedPostgres = {
  pid: number;
  port: number;
  /** True if it was already running (its last supervisor was killed). */
  adopted: boolean;
  /** Resolves when the server has ended, for whatever reason. */
  exited: Promise<void>;
  /** Ends sessions, writes a checkpoint and waits until the server has stopped. Rejects if it cannot be stopped. */
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  dataDir: string;
  /** Tried first, so that running processes find a restarted server on the same port. */
  preferredPort?: number;
  /** Tests only: faster, and loses everything if the machine stops. */
  unsafe?: boolean;
  maxConnections?: number;
  /** Tests only: further settings of the server. */
  settings?: Record<string, string>;
  /** For this start only: a recovery from an archive. */
  recovery?: Record<string, string>;
};

/** Low memory use when idle; nothing acknowledged is lost; the log shows no row contents. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '48MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '4',
  autovacuum_max_workers: '2',
  autovacuum_worker_slots: '4',
  // Looking through its three databases once takes some 70 ms of CPU, even when nothing happens.
  autovacuum_naptime: '3min',
  // Each commit writes its own log: the writer has only what the cards of the sandbox do not wait for.
  wal_writer_delay: '2s',
  wal_level: 'replica',
  wal_keep_size: '128MB',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  client_connection_check_interval: '10s',
  log_timezone: 'UTC',
  timezone: 'UTC',
  log_line_prefix: '%m [%p] %a ',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  cluster_name: 'sideline',
};
const UNSAFE_SETTINGS: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

const START_WAIT_MS = 120_000;
/** An archive of days takes a while. */
const RECOVERY_WAIT_MS = 12 * 3_600_000;
const STOP_WAIT_MS = 20_000;
const MAX_LOG_BYTES = 10_000_000;

/**
 * Starts the database below `DATA_DIR`, creating it first if needed; a server that is still running there is adopted,
 * one that hangs is killed and restarted (fault F32).
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = findPostgresBinaries();
  const { clusterDir } = embeddedPaths(options.dataDir);
  const account = await choosePostgresAccount(clusterDir, binaries.nativeDir);
  await ensureCluster(options.dataDir, binaries, account, options);

  const adopted = await adoptRunning(options.dataDir);
  if (adopted) return adopted;

  let lastFailure = '';
  // A recovery that failed would fail again, and take as long.
  for (let attempt = 0; attempt < (options.recovery ? 1 : 5); attempt += 1) {
    const port = attempt === 0 && options.preferredPort ? options.preferredPort : await freePort();
    const started = await launch([...account.prefix, binaries.postgres], { ...options, port, account });
    if (typeof started !== 'string') return started;
    lastFailure = started;
    // Another start with the same folder may have been faster; its server is used (the supervisor's lock decides which
    // process stays).
    const running = await adoptRunning(options.dataDir);
    if (running) return running;
    await sleep(300);
  }
  throw new StartError(`The embedded database did not start: ${lastFailure}`);
}

/** The port of the server that runs below `DATA_DIR`; null if none does. For scripts that run next to the product. */
export async function runningPostgresPort(dataDir: string): Promise<number | null> {
  const postmaster = await readPostmaster(embeddedPaths(dataDir).clusterDir);
  return postmaster?.ready && (await isPostgresProcess(postmaster.pid)) ? postmaster.port : null;
}

/** Stops the server that runs below `DATA_DIR`, even one that another process started. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  const postmaster = await readPostmaster(embeddedPaths(dataDir).clusterDir);
  if (postmaster && (await isPostgresProcess(postmaster.pid)))
    await stopServer(postmaster.pid, untilGone(postmaster.pid));
}

/** Address of the embedded server for one of its users. */
export function embeddedUrl(port: number, user: string, password: string, database = DATABASE_NAME): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** The same server by its socket if there is one: a query costs half as much as over TCP. */
export function throughSocket(url: string, dataDir: string): string {
  const { port } = new URL(url);
  const { socketDir } = embeddedPaths(dataDir);
  return existsSync(path.join(socketDir, `.s.PGSQL.${port}`)) ? `${url}?host=${encodeURIComponent(socketDir)}` : url;
}

/** The path of a socket may have 107 bytes on Linux and 103 on macOS; this fits both. A deeper folder has no socket. */
const MAX_SOCKET_BYTES = 100;

/** Creates an empty folder for the socket: a lock left by a killed server could name another process. */
async function readySocketDir(dataDir: string, ids: { uid: number; gid: number } | null): Promise<string> {
  const { socketDir } = embeddedPaths(dataDir);
  await rm(socketDir, { recursive: true, force: true });
  if (process.platform === 'win32' || Buffer.byteLength(`${socketDir}/.s.PGSQL.65535.lock`) > MAX_SOCKET_BYTES)
    return '';
  await makeFolderFor(ids, socketDir);
  return socketDir;
}

/** Empties a large log. Its end may say why the server ended, so that is kept in a second file. */
async function shortenLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => null))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) return;
  const end = Buffer.alloc(MAX_LOG_BYTES);
  const log = await open(logFile, 'r+');
  await log.read(end, 0, end.length, size - end.length);
  await log.truncate();
  await log.close();
  // A full disk may have no space for it.
  await writeFile(`${logFile}.old`, end, { mode: 0o600 }).catch(() => undefined);
}

/** Starts a server and waits until it is ready; returns it, or why it did not start. */
async function launch(
  command: readonly string[],
  options: EmbeddedOptions & { port: number; account: PostgresAccount },
): Promise<EmbeddedPostgres | string> {
  const { clusterDir, logFile } = embeddedPaths(options.dataDir);
  const settings = {
    ...SETTINGS,
    unix_socket_directories: await readySocketDir(options.dataDir, idsOf(options.account)),
    max_connections: String(options.maxConnections ?? 100),
    ...options.settings,
    ...(options.unsafe ? UNSAFE_SETTINGS : await archiveSettings(options.dataDir, idsOf(options.account))),
    ...options.recovery,
    port: String(options.port),
  };
  const [program = '', ...args] = [
    ...command,
    '-D',
    clusterDir,
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
  ];
  await shortenLog(logFile);
  const log = await open(logFile, 'a', 0o600);
  // A session of its own, so that Ctrl-C in a terminal reaches only the supervisor, which stops everything in order.
  const child = spawn(program, args, {
    ...options.account.ids,
    env: postgresEnvironment(),
    cwd: path.dirname(clusterDir),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  await log.close();
  let ended = false;
  let failure: Error | null = null;
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      failure = error;
      resolve();
    });
  }).then(() => void (ended = true));

  const waitMs = options.recovery ? RECOVERY_WAIT_MS : START_WAIT_MS;
  for (const deadline = Date.now() + waitMs; Date.now() < deadline && !ended; await sleep(25)) {
    const postmaster = await readPostmaster(clusterDir);
    if (postmaster?.pid === child.pid && postmaster?.ready) {
      const pid = postmaster.pid;
      return { pid, port: options.port, adopted: false, exited, stop: () => stopServer(pid, exited) };
    }
  }
  if (failure) return (failure as Error).message;
  if (!ended) child.kill('SIGQUIT');
  return `see ${logFile}`;
}

/** Adopts a healthy server; kills an unhealthy one; removes the files of a dead one. */
async function adoptRunning(dataDir: string): Promise<EmbeddedPostgres | null> {
  const { clusterDir } = embeddedPaths(dataDir);
  const postmaster = await readPostmaster(clusterDir);
  if (!postmaster) return null;
  const { pid } = postmaster;
  if (!(await isPostgresProcess(pid))) {
    await rm(path.join(clusterDir, 'postmaster.pid'), { force: true });
    return null;
  }
  const { superuser } = embeddedPasswords(dataDir);
  // A server that replays its log after a crash may take its time; one that reports that it is ready must answer.
  const deadline = Date.now() + START_WAIT_MS;
  let unanswered = 0;
  while (unanswered < 3 && Date.now() < deadline) {
    const now = await readPostmaster(clusterDir);
    if (now?.pid !== pid || !(await isPostgresProcess(pid))) return null;
    if (now.ready && (await answers(embeddedUrl(now.port, 'postgres', superuser, 'postgres')))) {
      const exited = untilGone(pid);
      return { pid, port: now.port, adopted: true, exited, stop: () => stopServer(pid, exited) };
    }
    if (now.ready) unanswered += 1;
    await sleep(100);
  }
  // It hangs. What it acknowledged is in the write-ahead log and is restored at the next start.
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    // A process that was stopped (SIGSTOP) handles other signals only when it continues.
    signalQuietly(pid, 'SIGCONT');
    signalQuietly(pid, signal);
    const gone = await Promise.race([untilGone(pid).then(() => true), sleep(5000).then(() => false)]);
    if (gone) break;
  }
  return null;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function stopServer(pid: number, exited: Promise<void>): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', STOP_WAIT_MS],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    signalQuietly(pid, signal);
    // This timer also keeps our process alive while it waits.
    const waiting = new AbortController();
    const gone = await Promise.race([exited.then(() => true), sleep(waitMs, false, { signal: waiting.signal })]);
    waiting.abort();
    if (gone) return;
  }
  throw new Error(`The embedded database (process ${pid}) could not be stopped.`);
}

async function untilGone(pid: number): Promise<void> {
  while (await isPostgresProcess(pid)) await sleep(100, undefined, { ref: false });
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

/** What a running PostgreSQL writes into `postmaster.pid`. */
type Postmaster = { pid: number; port: number; ready: boolean };

/** Reads `postmaster.pid`; null if it is missing or incomplete. */
export async function readPostmaster(postgresDir: string): Promise<Postmaster | null> {
  const text = await readFile(path.join(postgresDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return {
    pid,
    port: Number.isSafeInteger(port) ? port : 0,
    // "standby" is a server that still replays its log and does not answer yet.
    ready: lines[7]?.trim() === 'ready',
  };
}

/** True while a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process of a `postmaster.pid` really is a PostgreSQL: after a reboot or in a new container the number may
 * belong to any process. Unknown (no /proc) counts as yes.
 */
export async function isPostgresProcess(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    // A zombie has an empty command line and holds no resources.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('postgres');
  } catch (error) {
    return process.platform !== 'linux' || (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

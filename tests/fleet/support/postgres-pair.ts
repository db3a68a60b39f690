/**
 * A PostgreSQL with a synchronous standby, from the embedded server's own programs: what one acknowledges, both have.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { withClient } from '#src/platform/db/client.ts';
import {
  choosePostgresAccount,
  embeddedPasswords,
  embeddedPaths,
  ensureCluster,
  findPostgresBinaries,
  idsOf,
  makeFolderFor,
  postgresEnvironment,
  type PostgresAccount,
} from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, readPostmaster } from '#src/platform/db/embedded-postgres.ts';
import { end, remember } from '#tests/load/children.ts';
import { treeOf } from '#tests/load/process-cpu.ts';

export type PostgresServer = {
  port: number;
  /** As the superuser, bypassing every balancer. */
  superUrl: string;
  /** Starts it on the same port. */
  start(): Promise<void>;
  /** `kill -9` of the whole server at once, as in a power failure. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** How haproxy signs in to ask which server is writable (docs/operations.md). */
const CHECK_ROLE = 'sideline_check';
const START_WITHIN_MS = 300_000;
const run = promisify(execFile);

type Cluster = { folder: string; port: number; account: PostgresAccount; password: string };

/** Starts a primary below `folder`, empty, with the role of the balancer's check. */
export async function startPrimary(folder: string, port: number): Promise<PostgresServer> {
  const binaries = findPostgresBinaries();
  const { clusterDir } = embeddedPaths(folder);
  await mkdir(folder, { recursive: true });
  const account = await choosePostgresAccount(clusterDir, binaries.nativeDir);
  await ensureCluster(folder, binaries, account);
  const access = path.join(clusterDir, 'pg_hba.conf');
  // The first matching line decides.
  await writeFile(access, `host postgres ${CHECK_ROLE} 127.0.0.1/32 trust\n${await readFile(access, 'utf8')}`);
  const server = await launch({ folder, port, account, password: embeddedPasswords(folder).superuser });
  await withClient(server.superUrl, (client) => client.query(`create role ${CHECK_ROLE} login`));
  return server;
}

/**
 * Makes a standby of a running server with the low-level backup functions; the embedded server comes without
 * pg_basebackup. From then on the primary acknowledges only what the standby has, too.
 */
export async function startStandby(
  primary: PostgresServer,
  from: string,
  folder: string,
  port: number,
): Promise<PostgresServer> {
  const [source, copy] = [embeddedPaths(from).clusterDir, embeddedPaths(folder).clusterDir];
  const account = await choosePostgresAccount(source, findPostgresBinaries().nativeDir);
  const ids = idsOf(account);
  await mkdir(folder, { recursive: true });
  // Its users and their passwords are the primary's.
  await cp(path.dirname(embeddedPaths(from).passwordsFile), path.dirname(embeddedPaths(folder).passwordsFile), {
    recursive: true,
  });
  const label = await withClient(primary.superUrl, async (client) => {
    await client.query("select pg_backup_start('standby', fast => true)");
    await copyRunning(source, copy, ids);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    return rows[0]?.labelfile ?? '';
  });
  const password = embeddedPasswords(folder).superuser;
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=standby`;
  await appendFile(path.join(copy, 'postgresql.auto.conf'), `primary_conninfo = ${pg.escapeLiteral(conninfo)}\n`);
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(path.join(copy, name), text, { mode: 0o600 });
    if (ids) await run('chown', [`${ids.uid}:${ids.gid}`, path.join(copy, name)]);
  }
  const standby = await launch({ folder, port, account, password });
  await withClient(primary.superUrl, async (client) => {
    await client.query("alter system set synchronous_standby_names = 'standby'");
    await client.query('select pg_reload_conf()');
    await until('the standby is synchronous', async () => {
      const { rowCount } = await client.query(
        "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
      );
      return rowCount === 1;
    });
    // The server's other processes may learn of it later than this session; a commit asks the checkpointer.
    await client.query('checkpoint');
    const { rows } = await client.query<{ at: string }>('select pg_current_wal_lsn()::text as at');
    await until('the standby has what was acknowledged without it', async () => {
      const { rowCount } = await client.query('select from pg_stat_replication where flush_lsn >= $1::pg_lsn', [
        rows[0]?.at,
      ]);
      return rowCount === 1;
    });
  });
  return standby;
}

/** Files of one server only; the log comes from the primary. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal']);

/** Copies the files of a running server with their owners. Some vanish meanwhile: their changes are in the log. */
async function copyRunning(source: string, copy: string, ids: { uid: number; gid: number } | null): Promise<void> {
  for (const made of [copy, path.join(copy, 'pg_wal')]) await makeFolderFor(ids, made);
  const parts = (await readdir(source)).filter((name) => !NOT_COPIED.has(name)).map((name) => path.join(source, name));
  await run('cp', ['-a', ...parts, copy], { env: { ...process.env, LC_ALL: 'C' } }).catch(
    (error: { stderr: string }) => {
      const complaints = error.stderr.trim().split('\n');
      if (!complaints.every((line) => line.endsWith('No such file or directory'))) throw error;
    },
  );
}

/** Makes a standby the primary. Returns when it is writable. */
export const promote = ({ superUrl }: PostgresServer) =>
  withClient(superUrl, async (client) => {
    const { rows } = await client.query<{ done: boolean }>(
      `select pg_promote(true, ${START_WITHIN_MS / 1000}) as done`,
    );
    if (!rows[0]?.done) throw new Error('the standby was not promoted in time');
  });

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + START_WITHIN_MS; !(await isSo()); await sleep(50))
    if (Date.now() > deadline) throw new Error(`${what}: not in time`);
}

/** A running server. */
async function launch({ folder, port, account, password }: Cluster): Promise<PostgresServer> {
  const { clusterDir, logFile, socketDir } = embeddedPaths(folder);
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketDir,
    max_connections: '200',
    shared_buffers: '64MB',
    max_wal_senders: '4',
    wal_keep_size: '128MB',
    log_min_error_statement: 'panic',
    timezone: 'UTC',
  };
  const words = ['-D', clusterDir, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)];
  const [program, ...before] = [...account.prefix, findPostgresBinaries().postgres];
  let child: ChildProcess;

  async function start(): Promise<void> {
    // A lock left by a killed server could name another process.
    await rm(socketDir, { recursive: true, force: true, maxRetries: 5 });
    await makeFolderFor(idsOf(account), socketDir);
    const log = await open(logFile, 'a', 0o600);
    child = remember(
      spawn(program, [...before, ...words], {
        ...account.ids,
        env: postgresEnvironment(),
        cwd: folder,
        stdio: ['ignore', log.fd, log.fd],
      }),
    );
    await log.close();
    await until(`PostgreSQL is ready (${logFile})`, async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: see ${logFile}`);
      const postmaster = await readPostmaster(clusterDir);
      return postmaster?.pid === child.pid && postmaster?.ready === true;
    });
  }

  await start();
  return {
    port,
    superUrl: embeddedUrl(port, 'postgres', password, 'postgres'),
    start,
    kill: () => killTree(child),
    stop: () => end(child, 'SIGINT'),
  };
}

async function killTree(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  for (const pid of treeOf([child.pid ?? 0])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with the others.
    }
  }
  await ended;
}

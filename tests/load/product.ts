/** Starts the product as `npm start` does, with a folder, a port and its own database, for measuring. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { embeddedPasswords, embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { throughSocket } from '#src/platform/db/embedded-postgres.ts';
import { APP_ROLE, DATABASE_NAME, OWNER_ROLE } from '#src/platform/db/client.ts';
import { ROOT } from '#src/platform/program-files.ts';
import { end, remember } from '#tests/load/children.ts';
import { treeOf } from '#tests/load/process-cpu.ts';
import { startProgramFile } from '#tests/support/start-program.ts';

const READY = 'Sideline is ready at ';

export type Product = {
  url: string;
  pid: number;
  /** Of the embedded PostgreSQL. */
  postgresPid: number;
  /** Signs in bypassing every policy: for creating data. */
  ownerUrl: string;
  /** The same through the socket that the product uses: for yardsticks. */
  bareUrl: string;
  /** Signs in as the product does. */
  appUrl: string;
  dataDir: string;
  /** When it was ready, by `performance.now()`. */
  readyAt: number;
  /** Asks it to stop and waits; `keep` leaves its folder. */
  stop(options?: { keep?: boolean }): Promise<void>;
  /** `kill -9` of the process that was started; its folder stays. */
  kill(): Promise<void>;
};

/** Our processes, without the database: its parent depends on how it was started. */
export function processesOf({ pid, postgresPid }: Product): number[] {
  const database = new Set(treeOf([postgresPid]));
  return treeOf([pid]).filter((each) => !database.has(each));
}

/**
 * Below the ports that the system assigns to connections: one of those could be taken when a killed process needs its
 * port again.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @param env over the defaults; an own `DATA_DIR` continues with existing data */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const dataDir = env['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'sideline-product-')));
  const child = remember(
    spawn(process.execPath, [startProgramFile()], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(await freePort()),
        DATA_DIR: dataDir,
        DEMO: 'off',
        WEB_CONCURRENCY: '1',
        RATE_LIMIT_FACTOR: '1000000',
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the product ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).on(
      'line',
      (line) => line.startsWith(READY) && resolve(line.slice(READY.length).trim()),
    );
  });
  const [postgresPid = '', , , postgresPort = ''] = (
    await readFile(join(embeddedPaths(dataDir).clusterDir, 'postmaster.pid'), 'utf8')
  ).split('\n');
  const ownerUrl = `postgres://${OWNER_ROLE}:${embeddedPasswords(dataDir).owner}@127.0.0.1:${postgresPort}/${DATABASE_NAME}`;
  return {
    url,
    pid: child.pid ?? 0,
    postgresPid: Number(postgresPid),
    ownerUrl,
    bareUrl: throughSocket(ownerUrl, dataDir),
    appUrl: `postgres://${APP_ROLE}:${embeddedPasswords(dataDir).app}@127.0.0.1:${postgresPort}/${DATABASE_NAME}`,
    dataDir,
    readyAt: performance.now(),
    async stop({ keep = false } = {}) {
      await end(child);
      if (!keep) await rm(dataDir, { recursive: true, force: true });
    },
    kill: () => end(child, 'SIGKILL'),
  };
}

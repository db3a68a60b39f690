import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import {
  embeddedUrl,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
  throughSocket,
  isAlive,
} from '#src/platform/db/embedded-postgres.ts';
import { withClient } from '#src/platform/db/client.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { divideTables } from '#tests/support/divided-tables.ts';
import { isMemoryPlenty, MEMORY } from '#tests/support/memory-files.ts';
import { endProcessesOfFolder } from '#tests/support/processes-of-folder.ts';
import { ensureEmbeddedRoles } from '#src/platform/db/roles.ts';

/**
 * One PostgreSQL per test run, started by the first test file that needs a database; its database `sideline` is
 * migrated once and copied for every file (about 30 ms each).
 */
export type TestServer = { superUrl: string; ownerUrl: string; appUrl: string };

const PREFIX = 'sideline-test-';

/**
 * In memory if there is enough of it: a copy of the database takes two thirds of the processor time there, and no disk.
 */
const baseFolder = (): string => (isMemoryPlenty() ? MEMORY : tmpdir());

/** The folder of a run; its name contains the id of the process that owns it, so that leftovers can be recognized. */
export function testServerDir(runPid: number): string {
  return path.join(baseFolder(), `${PREFIX}${runPid}`);
}

/** Starts the run's server, or waits for the worker that is doing it. */
export async function ensureTestServer(dir: string): Promise<TestServer> {
  const file = path.join(dir, 'server.json');
  try {
    await mkdir(path.join(dir, 'starting'));
  } catch {
    return waitForServer(file);
  }
  let answer: TestServer | { error: string };
  try {
    answer = await startTestServer(dir);
  } catch (error) {
    answer = { error: String(error) };
  }
  await writeFile(`${file}.new`, JSON.stringify(answer), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return waitForServer(file);
}

async function startTestServer(dir: string): Promise<TestServer> {
  const server = await startEmbeddedPostgres({ dataDir: dir, unsafe: true, maxConnections: 200 });
  const passwords = embeddedPasswords(dir);
  const { ownerUrl, appUrl } = await ensureEmbeddedRoles(server.port, passwords);
  await migrate(ownerUrl);
  await installJobSchema(ownerUrl);
  const superUrl = embeddedUrl(server.port, 'postgres', passwords.superuser, 'postgres');
  const near = (url: string) => throughSocket(url, dir);
  return { superUrl: near(superUrl), ownerUrl: near(ownerUrl), appUrl: near(appUrl) };
}

/** The database that tests copy: `sideline`; in the tests of divided tables (decision record 0082) one that the first of them makes. */
export async function templateOf(server: TestServer): Promise<string> {
  const { DIVIDED_TABLES: parts } = process.env;
  if (parts === undefined) return 'sideline';
  const name = `divided_${parts}`;
  await withClient(server.superUrl, async (client) => {
    await client.query('select pg_advisory_lock(82)');
    const made = await client.query('select from pg_database where datname = $1', [name]);
    if (made.rowCount !== 0) return;
    await client.query(`create database ${name}_new template sideline owner sideline_owner strategy file_copy`);
    const owner = Object.assign(new URL(server.ownerUrl), { pathname: `/${name}_new` });
    await divideTables(owner.href, Number(parts));
    await client.query(`alter database ${name}_new rename to ${name}`);
  });
  return name;
}

async function waitForServer(file: string): Promise<TestServer> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    const answer = JSON.parse(text) as TestServer | { error: string };
    if ('error' in answer) throw new Error(`The test database did not start: ${answer.error}`);
    return answer;
  }
  throw new Error('The test database did not start within a minute.');
}

/** Ends a run's server, if one was started, and whatever else works in its folder, and removes it. */
export async function removeTestServer(dir: string): Promise<void> {
  await stopEmbeddedPostgres(dir);
  await endProcessesOfFolder(dir);
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
}

/** Deletes what killed runs left behind. */
export async function sweepTestServers(): Promise<void> {
  for (const base of existsSync(MEMORY) ? [tmpdir(), MEMORY] : [tmpdir()])
    for (const name of await readdir(base)) {
      const pid = Number(name.slice(PREFIX.length));
      if (name.startsWith(PREFIX) && Number.isSafeInteger(pid) && !isAlive(pid))
        await removeTestServer(path.join(base, name));
    }
}

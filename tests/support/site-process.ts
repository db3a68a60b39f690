/** The process of the running site: started on the first request, stopped by the run's teardown. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '#src/platform/program-files.ts';
import { freePort } from '#tests/load/product.ts';
import { processesOfFolder } from '#tests/support/processes-of-folder.ts';
import { startProgramFile } from '#tests/support/start-program.ts';

const READY = /^Sideline is ready at /m;
export const START_WITHIN_MS = 120_000;

export type SiteFile = { port: number; pid: number };

/** The folder with its log and its data. */
export const folderOf = (dir: string) => join(dir, 'site');
const fileOf = (dir: string) => join(dir, 'site.json');

/** Starts the site, or waits for the start in progress. */
export async function ensureSite(dir: string): Promise<SiteFile> {
  try {
    await mkdir(folderOf(dir));
  } catch {
    return waitForSite(dir);
  }
  const made = process.env['MADE_SITE'];
  // With its owners: a database that root starts belongs to another account.
  if (made) execFileSync('cp', ['-a', made, join(folderOf(dir), 'data')]);
  for (let starts = 1; ; starts += 1) {
    const pid = await startSite(dir);
    try {
      return await waitForSite(dir);
    } catch (error) {
      if (starts === 3 || isRunning(pid)) throw error;
      // Another program may have taken its port meanwhile. The next start has another one.
      process.stderr.write(`The site of the browser tests is started again: ${String(error)}\n`);
    }
  }
}

/** @returns its process */
async function startSite(dir: string): Promise<number> {
  const port = await freePort();
  const logFile = openSync(join(folderOf(dir), 'product.log'), 'a');
  const child = spawn(process.execPath, [startProgramFile()], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', logFile, logFile],
    env: {
      ...outsideNpm(process.env),
      NODE_ENV: 'production',
      VITEST: '',
      PORT: String(port),
      DATA_DIR: join(folderOf(dir), 'data'),
      WEB_CONCURRENCY: '1',
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
      WEBHOOKS_TO_LOCALHOST: '1',
    },
  });
  closeSync(logFile);
  child.unref();
  const pid = child.pid ?? 0;
  await writeFile(`${fileOf(dir)}.new`, JSON.stringify({ port, pid } satisfies SiteFile));
  await rename(`${fileOf(dir)}.new`, fileOf(dir));
  return pid;
}

/**
 * The environment without npm's own variables: a product that npm started ends with the process that started it, and
 * here that is a test worker, which ends after its first file.
 */
function outsideNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_')));
}

async function waitForSite(dir: string): Promise<SiteFile> {
  for (const deadline = Date.now() + START_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    const site = await readSite(dir);
    if (!site) continue;
    const log = await readFile(join(folderOf(dir), 'product.log'), 'utf8').catch(() => '');
    if (READY.test(log)) return site;
    if (!isRunning(site.pid)) throw new Error(`the product ended before it was ready:\n${log}`);
  }
  throw new Error('the product was not ready within two minutes');
}

async function readSite(dir: string): Promise<SiteFile | null> {
  const text = await readFile(fileOf(dir), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as SiteFile);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** For the run's teardown: asks the product to stop, waits, removes its folder. */
export async function stopSite(dir: string): Promise<void> {
  const site = await readSite(dir);
  if (!site) return;
  // The id of a site that was killed may be another program's by now.
  const isOurs = process.platform !== 'linux' || processesOfFolder(folderOf(dir)).includes(site.pid);
  if (isOurs && isRunning(site.pid)) {
    process.kill(site.pid, 'SIGTERM');
    for (const deadline = Date.now() + 30_000; Date.now() < deadline && isRunning(site.pid);) await sleep(100);
  }
  await rm(folderOf(dir), { recursive: true, force: true, maxRetries: 5 });
}

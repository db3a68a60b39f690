import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { stopEmbeddedPostgres, isPostgresProcess, readPostmaster } from '#src/platform/db/embedded-postgres.ts';
import { startThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';
import { startProgram } from '#tests/faults/support/started-program.ts';
import type { StartedProgram } from '#tests/faults/support/started-program.ts';

/** Long enough for a machine that is also busy with other things. */
const PATIENCE_MS = 30_000;
const PROGRAM = path.join(import.meta.dirname, 'support', 'small-product.ts');

let dataDir: string;
let started: StartedProgram[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sideline-supervisor-'));
  started = [];
});
afterEach(async () => {
  for (const program of started) program.kill('SIGKILL');
  await Promise.all(started.map((program) => program.ended));
  await sleep(200);
  await stopEmbeddedPostgres(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): StartedProgram {
  const program = startProgram(PROGRAM, {
    DATA_DIR: dataDir,
    PORT: '0',
    WEB_CONCURRENCY: '1',
    LOG_LEVEL: 'info',
    ...env,
  });
  started.push(program);
  return program;
}

async function startReady(env: Record<string, string> = {}): Promise<{ program: StartedProgram; site: string }> {
  const program = start(env);
  const [, site = ''] = await program.until(/^Sideline is ready at (http:\/\/localhost:\d+)$/m);
  return { program, site };
}

async function ask(site: string, page: string): Promise<unknown> {
  const response = await fetch(site + page);
  if (!response.ok) throw new Error(`${page} answered ${response.status}`);
  return response.json();
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function postmasterPid(): Promise<number> {
  return (await readPostmaster(embeddedPaths(dataDir).clusterDir))?.pid ?? 0;
}

describe('the supervisor', () => {
  it('announces itself once, finishes requests in flight at SIGTERM, stops its database and exits 0', async () => {
    const { program, site } = await startReady({ WEB_CONCURRENCY: '2' });
    const slow = ask(site, '/slow');
    await sleep(200);
    program.kill('SIGTERM');
    expect(await slow).toBe('done');
    expect(await program.ended).toBe(0);
    expect(program.output().match(/^Sideline is ready at /gm)).toHaveLength(1);
    expect(await postmasterPid()).toBe(0);
  });

  it('loses nothing acknowledged when it is killed: its children end, the next start adopts the database', async () => {
    const first = await startReady();
    await ask(first.site, '/write');
    const webPid = (await ask(first.site, '/pid')) as number;
    const databasePid = await postmasterPid();
    first.program.kill('SIGKILL');
    await first.program.ended;
    await eventually(async () => expect(() => process.kill(webPid, 0)).toThrow());
    expect(await isPostgresProcess(databasePid)).toBe(true);

    const second = await startReady();
    expect(await postmasterPid()).toBe(databasePid);
    expect(await ask(second.site, '/count')).toEqual({ rows: 1 });
    second.program.kill('SIGTERM');
    expect(await second.program.ended).toBe(0);
    expect(await isPostgresProcess(databasePid)).toBe(false);
  });

  it('restarts an orphaned database that hangs', async () => {
    const first = await startReady();
    await ask(first.site, '/write');
    const hanging = await postmasterPid();
    first.program.kill('SIGKILL');
    await first.program.ended;
    process.kill(hanging, 'SIGSTOP');

    const second = await startReady();
    expect(await postmasterPid()).not.toBe(hanging);
    expect(await ask(second.site, '/count')).toEqual({ rows: 1 });
  });

  it('starts a killed web process again', async () => {
    const { site } = await startReady();
    const pid = (await ask(site, '/pid')) as number;
    process.kill(pid, 'SIGKILL');
    const next = await eventually(() => ask(site, '/pid'));
    expect(next).not.toBe(pid);
  });

  it('passes a crash point once, so that the restarted process can continue', async () => {
    const { site } = await startReady({ CRASH_AT: 'checkout.after_charge' });
    await expect(ask(site, '/crash')).rejects.toThrow();
    expect(await eventually(() => ask(site, '/crash'))).toBeNull();
  });

  it('restarts a killed database under running web processes', async () => {
    const { site } = await startReady();
    await ask(site, '/write');
    const webPid = await ask(site, '/pid');
    const killed = await postmasterPid();
    process.kill(killed, 'SIGKILL');
    const answer = await fetch(`${site}/count`);
    expect([200, 503]).toContain(answer.status);
    expect(await eventually(() => ask(site, '/count'))).toEqual({ rows: 1 });
    expect(await ask(site, '/pid')).toBe(webPid);
    expect(await postmasterPid()).not.toBe(killed);
    await ask(site, '/write');
  });

  it('refuses a second start on the same folder with one message and leaves the first one alone', async () => {
    const { site } = await startReady();
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output().trim().split('\n').at(-1)).toBe(
      `Another Sideline already runs on ${dataDir}; stop it, or set DATA_DIR to another folder.`,
    );
    expect(await ask(site, '/count')).toEqual({ rows: 0 });
  });

  it('reports in one sentence that the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const program = start({ PORT: String(port) });
      expect(await program.ended).toBe(1);
      expect(program.output()).toContain(
        `Port ${port} on 127.0.0.1 is in use by another program; stop it, or set PORT to a free one.`,
      );
      expect(await postmasterPid()).toBe(0);
    } finally {
      other.close();
    }
  });

  it('reports in one sentence which variable is wrong', async () => {
    const program = start({ PORT: 'three thousand' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toBe('PORT must be a whole number from 0 to 65535.\n');
  });

  it('stops cleanly when SIGTERM comes before it is ready', async () => {
    const program = start();
    await program.until('was brought to this version');
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(await postmasterPid()).toBe(0);
  });
});

describe('a process of its own (containers)', () => {
  it('serves with DATABASE_URL while another one runs jobs, both started at once on an empty database', async () => {
    const server = await startThrowawayPostgres();
    try {
      const rehearsal = { DATABASE_URL: server.superUrl.replace(/postgres$/, 'sideline'), ALLOW_SANDBOX: '1' };
      const worker = start({ ...rehearsal, ROLE: 'worker' });
      const { program: web, site } = await startReady({ ...rehearsal, ROLE: 'web' });
      expect(await ask(site, '/write')).toEqual({ id: 1 });
      const slow = ask(site, '/slow');
      await sleep(200);
      for (const program of [web, worker]) program.kill('SIGTERM');
      expect(await slow).toBe('done');
      expect(await Promise.all([web.ended, worker.ended])).toEqual([0, 0]);
      expect(worker.output()).toBe('');
    } finally {
      await server.stop();
    }
  });

  it('starts on an empty database, tells balancers that it stops, and serves until they have noticed', async () => {
    const server = await startThrowawayPostgres();
    try {
      const web = startProgram(path.join(import.meta.dirname, '../../src/main.ts'), {
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'warn',
        VITEST: '',
        DATABASE_URL: server.superUrl.replace(/postgres$/, 'sideline'),
        ALLOW_SANDBOX: '1',
        ROLE: 'web',
        DRAIN_SECONDS: '3',
      });
      started.push(web);
      const [, site = ''] = await web.until(/^Sideline is ready at (http:\/\/localhost:\d+)$/m);
      expect(await ask(site, '/readyz')).toEqual({ status: 'ok', parts: { database: 'ok', storage: 'ok' } });
      const leftAt = Date.now();
      web.kill('SIGTERM');
      await eventually(async () => expect((await fetch(`${site}/readyz`)).status).toBe(503));
      const page = await fetch(`${site}/api/v1/organizations?for_search=true`);
      expect([page.status, page.headers.get('connection')]).toEqual([200, 'close']);
      expect(await web.ended).toBe(0);
      expect(Date.now() - leftAt).toBeGreaterThan(2_900);
    } finally {
      await server.stop();
    }
  });

  it('says that it needs DATABASE_URL', async () => {
    const web = start({ ROLE: 'web' });
    expect(await web.ended).toBe(1);
    expect(web.output()).toBe(
      'DATABASE_URL must be set with ROLE=web: only the supervisor starts the embedded database.\n',
    );
  });
});

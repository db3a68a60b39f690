import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { sweepOrdersJob } from '#src/features/orders/orders.jobs.ts';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { stopEmbeddedPostgres, isPostgresProcess, readPostmaster } from '#src/platform/db/embedded-postgres.ts';
import { mainProgramFile } from '#tests/support/start-program.ts';
import { startThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';
import { freePort } from '#tests/load/product.ts';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { startProgram } from '#tests/faults/support/started-program.ts';
import type { StartedProgram } from '#tests/faults/support/started-program.ts';

/** Long enough for a machine that is also busy with other things. */
const MAX_WAIT_MS = 120_000;
const PROGRAM = path.join(import.meta.dirname, 'support', 'small-product.ts');

/** From one SIGUSR2 to the next, each turn of the event loop takes longer than a second. */
const LAG_BY_SIGNAL = `
  let isOn = false;
  const turn = () => {
    const before = process.threadCpuUsage().user;
    while (process.threadCpuUsage().user - before < 600_000);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    if (isOn) setImmediate(turn);
  };
  process.on('SIGUSR2', () => ((isOn = !isOn) && turn()));
`;

const WAITING_FOR_ME = 'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';

let dataDir: string;
let started: StartedProgram[];

async function begin(): Promise<void> {
  dataDir = await mkdtemp(path.join(inject('testServerDir'), 'supervisor-'));
  started = [];
}

async function end(): Promise<void> {
  for (const program of started) program.kill('SIGKILL');
  await Promise.all(started.map((program) => program.ended));
  await sleep(200);
  await stopEmbeddedPostgres(dataDir);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

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

/** The same in a folder that has been used before: its database exists. */
async function startAgain(env: Record<string, string> = {}): Promise<{ program: StartedProgram; site: string }> {
  await copyPreparedFolder(dataDir);
  return startReady(env);
}

async function ask(site: string, page: string): Promise<unknown> {
  const response = await fetch(site + page);
  if (!response.ok) throw new Error(`${page} answered ${response.status}`);
  return response.json();
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + MAX_WAIT_MS; ; await sleep(50)) {
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
  beforeEach(begin);
  afterEach(end);

  it('announces itself once, finishes requests in flight at SIGTERM, stops its database and exits 0', async () => {
    const { program, site } = await startReady({ WEB_CONCURRENCY: '2' });
    // Whichever web process answers: each reports all others, the worker included.
    expect(await ask(site, '/metrics of others')).toEqual([expect.stringMatching(/^of web [12]$/), 'of worker']);
    const slow = ask(site, '/slow');
    await program.until('a slow answer has begun');
    program.kill('SIGTERM');
    expect(await slow).toBe('done');
    expect(await program.ended).toBe(0);
    expect(program.output().match(/^Sideline is ready at /gm)).toHaveLength(1);
    expect(await postmasterPid()).toBe(0);
    // There was nothing to lose.
    expect(existsSync(path.join(dataDir, 'backups'))).toBe(false);
  });

  it('ends quietly when it is stopped while it fills the demo', async () => {
    const program = startProgram(mainProgramFile(), { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', VITEST: '' });
    started.push(program);
    await program.until('filling the demo');
    // Its photos are being made.
    await eventually(async () => expect(await readdir(path.join(dataDir, 'objects'))).not.toEqual([]));
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(program.output()).not.toMatch(/"err":|Error/);
    expect(await postmasterPid()).toBe(0);
  });

  it('loses nothing acknowledged when it is killed: its children end, the next start adopts the database', async () => {
    const first = await startAgain();
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
    const first = await startAgain();
    await ask(first.site, '/write');
    const hanging = await postmasterPid();
    first.program.kill('SIGKILL');
    await first.program.ended;
    process.kill(hanging, 'SIGSTOP');

    const second = await startReady();
    expect(await postmasterPid()).not.toBe(hanging);
    expect(await ask(second.site, '/count')).toEqual({ rows: 1 });
  });

  it('kills a web process that hangs, and restarts it', async () => {
    const { program, site } = await startAgain({ SILENT_AFTER_MS: '10000' });
    const pid = await ask(site, '/pid');
    await expect(ask(site, '/hang')).rejects.toThrow();
    await program.until('web 1 has been silent for 10 s and is ended');
    expect(await eventually(() => ask(site, '/pid'))).not.toBe(pid);
  });

  it('passes a crash point once, so that the restarted process can continue', async () => {
    const { site } = await startAgain({ CRASH_AT: 'checkout.after_charge' });
    await expect(ask(site, '/crash')).rejects.toThrow();
    expect(await eventually(() => ask(site, '/crash'))).toBeNull();
  });

  it('reports in one sentence that the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await copyPreparedFolder(dataDir);
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

describe('a supervisor that continues', () => {
  let site: string;
  // One product for these tests: each leaves it whole.
  beforeAll(async () => {
    await begin();
    ({ site } = await startAgain());
  });
  afterAll(end);

  /** Writes a row; how many there are now. */
  async function written(): Promise<number> {
    await ask(site, '/write');
    return ((await ask(site, '/count')) as { rows: number }).rows;
  }

  it('restarts a killed web process', async () => {
    const pid = (await ask(site, '/pid')) as number;
    process.kill(pid, 'SIGKILL');
    const next = await eventually(() => ask(site, '/pid'));
    expect(next).not.toBe(pid);
  });

  it('restarts a killed database under running web processes', async () => {
    const rows = await written();
    const webPid = await ask(site, '/pid');
    const killed = await postmasterPid();
    process.kill(killed, 'SIGKILL');
    const answer = await fetch(`${site}/count`);
    expect([200, 503]).toContain(answer.status);
    // A session of the killed database may still answer for a moment.
    await expect.poll(postmasterPid).not.toBeOneOf([0, killed]);
    expect(await eventually(() => ask(site, '/count'))).toEqual({ rows });
    expect(await ask(site, '/pid')).toBe(webPid);
    // A write that meets a session of the killed database is refused, and not repeated (fault F14).
    await eventually(() => ask(site, '/write'));
  });

  it('refuses a second start on the same folder with one message and leaves the first one alone', async () => {
    const rows = await written();
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output().trim().split('\n').at(-1)).toBe(
      `Another Sideline already runs on ${dataDir}; stop it, or set DATA_DIR to another folder.`,
    );
    expect(await ask(site, '/count')).toEqual({ rows });
  });
});

describe('a process of its own (containers)', () => {
  beforeEach(begin);
  afterEach(end);

  it('serves with DATABASE_URL while another one runs jobs, both started at the same time on an empty database', async () => {
    const server = await startThrowawayPostgres();
    try {
      const rehearsal = { DATABASE_URL: server.superUrl.replace(/postgres$/, 'sideline'), ALLOW_SANDBOX: '1' };
      // The one that is first logs that it created the tables.
      const worker = start({ ...rehearsal, ROLE: 'worker', LOG_LEVEL: 'warn' });
      const { program: web, site } = await startReady({ ...rehearsal, ROLE: 'web' });
      expect(await ask(site, '/write')).toEqual({ id: 1 });
      const slow = ask(site, '/slow');
      await web.until('a slow answer has begun');
      for (const program of [web, worker]) program.kill('SIGTERM');
      expect(await slow).toBe('done');
      expect(await Promise.all([web.ended, worker.ended])).toEqual([0, 0]);
      expect(worker.output()).toBe('');
    } finally {
      await server.stop();
    }
  });

  it('starts on an empty database, refuses requests while it lags, and serves until balancers know that it stops', async () => {
    const server = await startThrowawayPostgres();
    try {
      const web = startProgram(mainProgramFile(), {
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'warn',
        VITEST: '',
        DATABASE_URL: server.superUrl.replace(/postgres$/, 'sideline'),
        ALLOW_SANDBOX: '1',
        ROLE: 'web',
        DRAIN_SECONDS: '3',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LAG_BY_SIGNAL)}`,
      });
      started.push(web);
      const [, site = ''] = await web.until(/^Sideline is ready at (http:\/\/localhost:\d+)$/m);
      expect(await ask(site, '/readyz')).toEqual({ status: 'ok', parts: { database: 'ok', storage: 'ok' } });

      web.kill('SIGUSR2');
      const page = `${site}/api/v1/organizations?for_search=true`;
      const refused = await eventually(async () => {
        const answer = await fetch(page);
        expect(answer.status).toBe(503);
        return answer;
      });
      expect(refused.headers.get('retry-after')).toBe('2');
      const [shown, probed] = await Promise.all([fetch(site), fetch(`${site}/healthz`)]);
      expect([shown.status, await shown.text()]).toEqual([503, expect.stringContaining('We’ll be right back.')]);
      expect(probed.status).toBe(200);
      web.kill('SIGUSR2');
      await eventually(async () => expect((await fetch(page)).status).toBe(200));

      const leftAt = Date.now();
      web.kill('SIGTERM');
      await eventually(async () => expect((await fetch(`${site}/readyz`)).status).toBe(503));
      const last = await fetch(page);
      expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
      expect(await web.ended).toBe(0);
      expect(Date.now() - leftAt).toBeGreaterThan(2_900);
    } finally {
      await server.stop();
    }
  });

  it('answers probes as a worker once it works, and stops in order even while it starts', async () => {
    const server = await startThrowawayPostgres();
    try {
      const port = await freePort();
      const databaseUrl = server.superUrl.replace(/postgres$/, 'sideline');
      const work = () => {
        const worker = startProgram(mainProgramFile(), {
          DATA_DIR: dataDir,
          LOG_LEVEL: 'warn',
          VITEST: '',
          DATABASE_URL: databaseUrl,
          ALLOW_SANDBOX: '1',
          ROLE: 'worker',
          WORKER_PORT: String(port),
        });
        started.push(worker);
        return worker;
      };
      const site = `http://127.0.0.1:${port}`;
      const ready = { status: 'ok', parts: { database: 'ok', storage: 'ok' } };
      const worker = work();
      await eventually(async () => expect(await ask(site, '/readyz')).toEqual(ready));
      expect(await ask(site, '/healthz')).toEqual({ status: 'ok' });
      worker.kill('SIGTERM');
      expect(await worker.ended).toBe(0);

      await withClient(databaseUrl, async (client) => {
        await client.query('begin');
        // The job that it schedules in the last part of its start waits until this is decided.
        await client.query(
          `insert into pgboss.job (name, policy, singleton_key) select name, policy, 'next' from pgboss.queue where name = $1`,
          [sweepOrdersJob.name],
        );
        const beginner = work();
        await eventually(async () => expect((await client.query(WAITING_FOR_ME)).rows).toHaveLength(1));
        await expect(ask(site, '/readyz')).rejects.toThrow('fetch failed');
        beginner.kill('SIGTERM');
        await sleep(500);
        await client.query('rollback');
        expect(await beginner.ended).toBe(0);
      });
    } finally {
      await server.stop();
    }
  });

  it('stops in order while it waits for its database', async () => {
    const DATABASE_URL = `postgres://sideline@127.0.0.1:${await freePort()}/sideline`;
    const web = start({ DATABASE_URL, ALLOW_SANDBOX: '1', ROLE: 'web' });
    await web.until('the start waits for it');
    web.kill('SIGTERM');
    expect(await web.ended).toBe(0);
  });

  it('says that it needs DATABASE_URL', async () => {
    const web = start({ ROLE: 'web' });
    expect(await web.ended).toBe(1);
    expect(web.output()).toBe(
      'DATABASE_URL must be set with ROLE=web: only the supervisor starts the embedded database.\n',
    );
  });
});

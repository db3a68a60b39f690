/**
 * A start on the data of an earlier release: the backup before it, and who may change an operator's database (decision
 * record 0066).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { backUp } from '#src/platform/backup/backup.ts';
import { restore } from '#src/platform/backup/restore.ts';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres, stopEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { readMigrations } from '#src/platform/db/migrate.ts';
import { ensureEmbeddedRoles } from '#src/platform/db/roles.ts';
import { startProgram, type StartedProgram } from '#tests/faults/support/started-program.ts';
import { fillAsRelease } from '#tests/support/release-data.ts';
import { startThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';
import { NODE_ENVIRONMENT } from '#tests/support/node-environment.ts';

const PROGRAM = path.join(import.meta.dirname, 'support', 'small-product.ts');
const RELEASE = '0.2.0';
const BACKUP = 'upgrade-from-0043_sign_ups_below_a_parent.tar';

let folder: string;
let dataDir: string;
let started: StartedProgram[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(inject('testServerDir'), 'upgrade-'));
  dataDir = path.join(folder, 'data');
  started = [];
});
afterEach(async () => {
  for (const program of started) program.kill('SIGKILL');
  await Promise.all(started.map((program) => program.ended));
  for (const name of ['data', 'restored']) await stopEmbeddedPostgres(path.join(folder, name));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(env: Record<string, string> = {}): StartedProgram {
  const program = startProgram(PROGRAM, { DATA_DIR: dataDir, PORT: '0', WEB_CONCURRENCY: '1', ...env });
  started.push(program);
  return program;
}

async function stop(program: StartedProgram): Promise<void> {
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
}

/** The folder of a product of that release, stopped. */
async function useRelease(): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, unsafe: true });
  const passwords = embeddedPasswords(dataDir);
  const { ownerUrl } = await ensureEmbeddedRoles(server.port, passwords);
  await fillAsRelease(RELEASE, { ownerUrl, superUrl: embeddedUrl(server.port, 'postgres', passwords.superuser) });
  await server.stop();
}

type State = { newest: string; orders: number };
async function stateOf(url: string): Promise<State | undefined> {
  const text =
    'select (select max(name) from schema_migrations) as newest, (select count(*)::int from orders) as orders';
  return withClient(url, async (client) => (await client.query<State>(text)).rows[0]);
}

const newest = async () => (await readMigrations()).at(-1)?.name;

describe('a start on the folder of an earlier release', () => {
  it('copies the database before it changes it, once, keeps the newest copies, and the copy can be restored', async () => {
    await useRelease();
    const backups = path.join(dataDir, 'backups');
    await mkdir(backups);
    // Earlier copies, one of them left half-made by a start that was killed, and a file of the operator's own.
    for (const [age, name] of ['my-own.tar', 'upgrade-from-0040_b.tar', 'upgrade-from-0032_a.tar'].entries()) {
      await writeFile(path.join(backups, name), 'x');
      await utimes(path.join(backups, name), 1000 - age, 1000 - age);
    }
    await writeFile(path.join(backups, `${BACKUP}.new.part`), 'half');
    const first = start({ UPGRADE_BACKUPS: '2' });
    await first.until(/^Sideline is ready at/m);
    expect(first.output()).toMatch(
      /the database is backed up before.*the database is backed up".*was brought to this version/s,
    );
    await stop(first);
    expect((await readdir(backups)).toSorted()).toEqual(['my-own.tar', 'upgrade-from-0040_b.tar', BACKUP]);

    const second = start();
    await second.until(/^Sideline is ready at/m);
    expect(second.output()).not.toContain('backed up');
    await stop(second);

    const restoredDir = path.join(folder, 'restored');
    const { server } = await restore({ file: path.join(backups, BACKUP), dataDir: restoredDir });
    const url = embeddedUrl(server.port, 'sideline_owner', embeddedPasswords(restoredDir).owner);
    expect(await stateOf(url)).toEqual({ newest: '0043_sign_ups_below_a_parent.sql', orders: 60 });
    await server.stop();
    const careless = start({ DATA_DIR: restoredDir, UPGRADE_BACKUPS: '0' });
    await careless.until(/^Sideline is ready at/m);
    expect(careless.output()).toContain('without a backup');
    expect(existsSync(path.join(restoredDir, 'backups'))).toBe(false);
    await stop(careless);
  });
});

it('a backup of an earlier release is restored with this one, brought to its tables and checked', async () => {
  await useRelease();
  const file = path.join(folder, 'earlier.tar');
  await backUp({ dataDir, file, withObjects: false });
  const restoredDir = path.join(folder, 'restored');
  const script = path.join(import.meta.dirname, '../../scripts/restore.ts');
  const env = { ...NODE_ENVIRONMENT, DATA_DIR: restoredDir };
  const { stdout } = await promisify(execFile)(process.execPath, [script, file], { env });
  expect(stdout).toContain('0 violations');
  const server = await startEmbeddedPostgres({ dataDir: restoredDir });
  const url = embeddedUrl(server.port, 'sideline_owner', embeddedPasswords(restoredDir).owner);
  expect(await stateOf(url)).toEqual({ newest: await newest(), orders: 60 });
  await server.stop();
});

describe('an operator’s database in use', () => {
  it('is changed by "npm run migrate" or MIGRATE=start alone; a start says so and changes nothing', async () => {
    const server = await startThrowawayPostgres();
    try {
      const url = server.superUrl.replace(/postgres$/, 'sideline');
      await fillAsRelease(RELEASE, { ownerUrl: server.ownerUrl, superUrl: url });
      const rehearsal = { DATABASE_URL: url, ALLOW_SANDBOX: '1' };
      for (const ROLE of ['all', 'web']) {
        const refused = start({ ...rehearsal, ROLE });
        expect(await refused.ended).toBe(1);
        expect(refused.output()).toContain(
          `The database is at 0043_sign_ups_below_a_parent.sql and this version needs ${await newest()}: back it up, then run "npm run migrate" once, or start with MIGRATE=start.`,
        );
        expect(refused.output()).not.toContain('    at ');
      }
      expect(await stateOf(url)).toEqual({ newest: '0043_sign_ups_below_a_parent.sql', orders: 60 });

      const allowed = start({ ...rehearsal, ROLE: 'web', MIGRATE: 'start' });
      await allowed.until(/^Sideline is ready at/m);
      expect(allowed.output()).toContain('makes no backup of it');
      expect(await stateOf(url)).toEqual({ newest: await newest(), orders: 60 });
      await stop(allowed);
    } finally {
      await server.stop();
    }
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { migrate, PREVIOUS_RELEASE_SCHEMA, readMigrations, type Upgrade } from '#src/platform/db/migrate.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { startThrowawayPostgres, type ThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

const OURS = path.resolve(import.meta.dirname, '../../../migrations');

let server: ThrowawayPostgres;
let folder: string;
beforeAll(async () => {
  server = await startThrowawayPostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  await withClient(server.superUrl, async (client) => {
    await client.query('drop database if exists sideline with (force)');
    await client.query('create database sideline owner sideline_owner');
  });
  folder = await mkdtemp(path.join(tmpdir(), 'sideline-migrations-'));
  return () => rm(folder, { recursive: true, force: true });
});

/** Any number that no migration locks. */
const MIDDLE_OF_A_FILE = 4_711;

/** As a start does it, in a process of its own. */
const migrateInAProcess = () =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { migrate } from '#src/platform/db/migrate.ts';
       await migrate(process.env.OWNER_URL, { folder: process.env.FOLDER });`,
    ],
    {
      cwd: path.dirname(OURS),
      env: { PATH: process.env.PATH, OWNER_URL: server.ownerUrl, FOLDER: folder },
      stdio: 'inherit',
    },
  );

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const run = () => migrate(server.ownerUrl, { folder });

async function tables(): Promise<string[]> {
  const { rows } = await withClient(server.ownerUrl, (client) =>
    client.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    ),
  );
  return rows.map(({ name }) => name);
}

describe('migrations', () => {
  it('bring an empty database to the newest schema, once', async () => {
    const names = (await readdir(OURS)).toSorted();
    expect(await migrate(server.ownerUrl)).toEqual(names);
    expect(await migrate(server.ownerUrl)).toEqual([]);
  });

  it('let photos be read while the column of 0045 is filled', async () => {
    await migrate(server.ownerUrl);
    const files = await readMigrations();
    const filling = files.find(({ text }) => /^update photos set tagged/m.test(text));
    await withClient(server.ownerUrl, async (client) => {
      await client.query(`begin; ${filling?.text}`);
      const reading = withClient(server.ownerUrl, (reader) =>
        reader.query("set lock_timeout = '200ms'; select from photos limit 1"),
      );
      await expect(reading).resolves.toBeDefined();
      await client.query('rollback');
    });
  });

  it('delete the jobs by which the version before sent emails', async () => {
    const files = (await readdir(OURS)).toSorted();
    const copy = (names: string[]) =>
      Promise.all(names.map((name) => copyFile(path.join(OURS, name), path.join(folder, name))));
    await copy(files.filter((name) => name < '0047'));
    await run();
    const left = await withClient(server.ownerUrl, async (client) => {
      await client.query(
        "create schema pgboss; create table pgboss.job as select unnest('{mail.send,ingest}'::text[]) as name",
      );
      await copy(files);
      await run();
      return (await client.query('select name from pgboss.job')).rows;
    });
    expect(left).toEqual([{ name: 'ingest' }]);
  });

  it('continue after the last applied migration', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    expect(await run()).toEqual(['0001_one.sql']);
    await write('0002_two.sql', 'create table two (id int);');
    expect(await run()).toEqual(['0002_two.sql']);
    expect(await tables()).toEqual(['one', 'schema_migrations', 'two']);
  });

  it('can run three times at the same time', async () => {
    for (const name of await readdir(OURS)) await copyFile(path.join(OURS, name), path.join(folder, name));
    const answers = await Promise.all([run(), run(), run()]);
    expect(answers.flat().toSorted()).toEqual((await readMigrations(folder)).map(({ name }) => name));
  });

  it('leave nothing of a file that fails half-way, and continue when it is corrected', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    await write('0002_two.sql', 'create table two (id int); select 1 / 0;');
    const failed = await run().catch(describeFailedStart);
    expect(failed).toBe(
      'migrations/0002_two.sql failed: division by zero. Nothing of this file is in the database: mend the cause and start again.',
    );
    expect(await tables()).toEqual(['one', 'schema_migrations']);
    await write('0002_two.sql', 'create table two (id int);');
    expect(await run()).toEqual(['0002_two.sql']);
  });

  it('leave nothing of a file in which their process was killed, and continue with it at the next start', async () => {
    const names = ['0001_one.sql', '0002_two.sql', '0003_three.sql'];
    for (const name of names) await write(name, `create table ${name.slice(5, -4)} (id int);`);
    for (const [at, name] of names.entries()) {
      const table = `create table ${name.slice(5, -4)} (id int);`;
      await withClient(server.ownerUrl, async (client) => {
        // The file continues only when this session ends.
        await client.query('select pg_advisory_lock($1)', [MIDDLE_OF_A_FILE]);
        await write(name, `${table} select pg_advisory_xact_lock(${MIDDLE_OF_A_FILE});`);
        const child = migrateInAProcess();
        await vi.waitUntil(async () => {
          const { rows } = await client.query("select from pg_locks where locktype = 'advisory' and not granted");
          return rows.length > 0;
        }, 15_000);
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      await write(name, table);
      const later = names.slice(at + 1);
      for (const file of later) await rm(path.join(folder, file));
      expect(await run()).toEqual([name]);
      for (const file of later) await write(file, `create table ${file.slice(5, -4)} (id int);`);
    }
    expect(await run()).toEqual([]);
    expect(await tables()).toEqual(['one', 'schema_migrations', 'three', 'two']);
  });

  it('refuse a file that was edited after it had been applied', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    await run();
    await write('0001_one.sql', 'create table one (id bigint);');
    await expect(run()).rejects.toThrow('migrations/0001_one.sql was edited after the database had applied it');
  });

  it('ignore line endings', async () => {
    await write('0001_one.sql', 'create table one\n(id int);');
    await run();
    await write('0001_one.sql', 'create table one\r\n(id int);');
    expect(await run()).toEqual([]);
  });

  it('refuse a database that a newer version has changed', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    await write('0002_two.sql', 'create table two (id int);');
    await run();
    await rm(path.join(folder, '0002_two.sql'));
    await expect(run()).rejects.toThrow('changed by another version of Sideline (0002_two.sql is unknown here)');
  });

  it('let the previous release start again on a database that the next one has changed', async () => {
    await migrate(server.ownerUrl);
    const files = await readMigrations();
    const before = files.filter(({ name }) => name <= PREVIOUS_RELEASE_SCHEMA);
    for (const { name, text } of before) await write(name, text);
    expect(await run()).toEqual([]);
    await rm(path.join(folder, PREVIOUS_RELEASE_SCHEMA));
    await expect(run()).rejects.toThrow('changed by another version of Sideline');
  });

  it('ask before they change anything, and only where something is pending', async () => {
    const asked: Upgrade[] = [];
    const before = async (upgrade: Upgrade) => void asked.push(upgrade);
    await write('0001_users.sql', 'create table users (id int); insert into users values (1);');
    await migrate(server.ownerUrl, { folder, before });
    await migrate(server.ownerUrl, { folder, before });
    await write('0002_two.sql', 'create table two (id int);');
    const refuse = () => Promise.reject(new Error('not now'));
    await expect(migrate(server.ownerUrl, { folder, before: refuse })).rejects.toThrow('not now');
    expect(await tables()).toEqual(['schema_migrations', 'users']);
    await migrate(server.ownerUrl, { folder, before });
    expect(asked).toEqual([
      { from: null, pending: ['0001_users.sql'] },
      { from: '0001_users.sql', pending: ['0002_two.sql'] },
    ]);
  });

  it('refuse a file with too low a number, and a name that would be overlooked', async () => {
    await write('0002_two.sql', 'create table two (id int);');
    await run();
    await write('0001_one.sql', 'create table one (id int);');
    await expect(run()).rejects.toThrow('migrations/0001_one.sql comes before 0002_two.sql');
    await write('3_three.sql', '');
    await expect(run()).rejects.toThrow('migrations/3_three.sql is not named like 0001_tenants_and_accounts.sql');
  });

  it('wait for a long read without blocking all others behind it, and finish afterwards', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    await run();
    await write('0002_column.sql', 'alter table one add column name text;');
    await withClient(server.ownerUrl, async (reader) => {
      await reader.query('begin; select * from one');
      const migrating = run();
      await withClient(server.ownerUrl, async (other) => {
        // Behind a migration that waits without a limit, it would wait until the long read ends: forever.
        await other.query("set statement_timeout = '20s'");
        for (const end = Date.now() + 1500; Date.now() < end; await sleep(20)) await other.query('select * from one');
      });
      await reader.query('commit');
      expect(await migrating).toEqual(['0002_column.sql']);
    });
  });
});

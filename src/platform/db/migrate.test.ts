import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { migrate, readMigrations } from '#src/platform/db/migrate.ts';
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

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const run = () => migrate(server.ownerUrl, folder);

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

  it('continue after the last applied migration', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    expect(await run()).toEqual(['0001_one.sql']);
    await write('0002_two.sql', 'create table two (id int);');
    expect(await run()).toEqual(['0002_two.sql']);
    expect(await tables()).toEqual(['one', 'schema_migrations', 'two']);
  });

  it('can run three times at once', async () => {
    for (const name of await readdir(OURS)) await copyFile(path.join(OURS, name), path.join(folder, name));
    const answers = await Promise.all([run(), run(), run()]);
    expect(answers.flat().toSorted()).toEqual((await readMigrations(folder)).map(({ name }) => name));
  });

  it('leave nothing of a file that fails half-way, and continue when it is corrected', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    await write('0002_two.sql', 'create table two (id int); select 1 / 0;');
    await expect(run()).rejects.toThrow('migrations/0002_two.sql failed: division by zero');
    expect(await tables()).toEqual(['one', 'schema_migrations']);
    await write('0002_two.sql', 'create table two (id int);');
    expect(await run()).toEqual(['0002_two.sql']);
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

  it('refuse a file with too low a number, and a name that would be overlooked', async () => {
    await write('0002_two.sql', 'create table two (id int);');
    await run();
    await write('0001_one.sql', 'create table one (id int);');
    await expect(run()).rejects.toThrow('migrations/0001_one.sql comes before 0002_two.sql');
    await write('3_three.sql', '');
    await expect(run()).rejects.toThrow('migrations/3_three.sql is not named like 0001_some_name.sql');
  });

  it('wait for a long read without blocking all others behind it, and finish afterwards', async () => {
    await write('0001_one.sql', 'create table one (id int);');
    await run();
    await write('0002_column.sql', 'alter table one add column name text;');
    await withClient(server.ownerUrl, async (reader) => {
      await reader.query('begin; select * from one');
      const migrating = run();
      const longestWait = await withClient(server.ownerUrl, async (other) => {
        let longest = 0;
        for (const end = Date.now() + 1500; Date.now() < end; await sleep(20)) {
          const askedAt = Date.now();
          await other.query('select * from one');
          longest = Math.max(longest, Date.now() - askedAt);
        }
        return longest;
      });
      expect(longestWait).toBeLessThan(1000);
      await reader.query('commit');
      expect(await migrating).toEqual(['0002_column.sql']);
    });
  });
});

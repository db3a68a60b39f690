import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureRolesAt, FOR_TRIGGERS, grantToApp } from '#src/platform/db/roles.ts';
import { withClient } from '#src/platform/db/client.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { startThrowawayPostgres, type ThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

let server: ThrowawayPostgres;
beforeAll(async () => {
  server = await startThrowawayPostgres();
});
afterAll(() => server?.stop());

const asSuperuser = (text: string) => withClient(server.superUrl, (client) => client.query(text));

/** A database that an operator created, and the address with which one of its users connects. */
async function operatorsDatabase(name: string, attributes: string): Promise<string> {
  await asSuperuser('drop database if exists elsewhere with (force)');
  await asSuperuser('drop database if exists sideline with (force)');
  await asSuperuser('drop role if exists sideline_app');
  await asSuperuser(`create role ${pg.escapeIdentifier(name)} login password 'word' ${attributes}`);
  await asSuperuser(`create database elsewhere owner ${pg.escapeIdentifier(name)}`);
  const url = new URL(server.superUrl);
  Object.assign(url, { username: name, password: 'word', pathname: '/elsewhere' });
  return url.href;
}

describe('the database of an operator (DATABASE_URL)', () => {
  it.each([
    ['a superuser', 'mighty', 'superuser'],
    ['a user who may make roles', 'maker', 'createrole'],
    ['a user who is bound by nothing', 'unbound', 'createrole bypassrls'],
    ['a user with capitals and signs in the name', 'Sa@project.iam', 'createrole'],
  ])('is migrated by %s, and row-level security applies to requests all the same', async (_who, name, attributes) => {
    const url = await operatorsDatabase(name, attributes);
    // Something of the operator's own that we must neither need nor touch.
    await asElse(url, 'create table theirs (id int)');
    const addresses = await ensureRolesAt(url);
    expect(addresses).toEqual({ ownerUrl: url, appUrl: url, appRole: 'sideline_app' });
    await migrate(url);
    await migrate((await ensureRolesAt(url)).ownerUrl);
    const database = await openDatabase({ url, role: addresses.appRole, applicationName: 'test' });
    try {
      const read = (scope: Parameters<typeof database.read>[0]) =>
        database.read(scope, (db) => db.selectFrom('organization_private').select('organization_id').execute());
      expect(await read({ kind: 'public' })).toEqual([]);
      expect(await read({ kind: 'tenants', organizationIds: [1] })).toEqual([{ organization_id: 1 }]);
    } finally {
      await database.close();
    }
  });

  async function asElse(url: string, text: string): Promise<void> {
    const superElse = Object.assign(new URL(server.superUrl), { pathname: new URL(url).pathname }).href;
    await withClient(superElse, (client) => client.query(text));
  }

  it('is prepared by several processes that start at the same time', async () => {
    const url = await operatorsDatabase('several', 'createrole');
    const eight = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 8 }, work));
    await eight(() => ensureRolesAt(url));
    await migrate(url);
    for (let round = 0; round < 10; round++) await eight(() => withClient(url, grantToApp));
  });

  it('keeps from the app role what only triggers may call, also after a dump without privileges was restored', async () => {
    const url = await operatorsDatabase('restored', 'createrole');
    await ensureRolesAt(url);
    await migrate(url);
    const mayCall = async () => {
      const { rows } = await withClient(url, (client) =>
        client.query<{ name: string }>(
          "select proname as name from pg_proc where proname = any ($1) and has_function_privilege('sideline_app', oid, 'execute') order by 1",
          [FOR_TRIGGERS],
        ),
      );
      return rows.map(({ name }) => name);
    };
    expect(await mayCall()).toEqual([]);
    await withClient(url, (client) =>
      client.query(FOR_TRIGGERS.map((name) => `grant execute on function ${name} to public`).join(';')),
    );
    expect(await mayCall()).toEqual(FOR_TRIGGERS);
    await migrate(url);
    expect(await mayCall()).toEqual([]);
  });

  it('knows every function that migrations take away from everyone', () => {
    const folder = path.resolve(import.meta.dirname, '../../../migrations');
    const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const revoked = texts.flatMap((text) =>
      [...text.matchAll(/revoke execute on function (\w+)[^;]* from public/g)].map(([, name]) => name),
    );
    expect([...new Set(revoked)].toSorted()).toEqual(FOR_TRIGGERS);
  });

  it('whose user may not create roles reports what an administrator must run, and works afterwards', async () => {
    const url = await operatorsDatabase('plain', '');
    const command = 'create role sideline_app nologin; grant sideline_app to "plain";';
    await expect(ensureRolesAt(url)).rejects.toThrow(`let an administrator run once: ${command}`);
    await asSuperuser(command);
    expect(await ensureRolesAt(url)).toMatchObject({ appRole: 'sideline_app' });
    await migrate(url);
    const database = await openDatabase({ url, role: 'sideline_app', applicationName: 'test' });
    expect(
      await database.read({ kind: 'public' }, (db) => db.selectFrom('organizations').select('name').execute()),
    ).toEqual([{ name: 'Sideline' }]);
    await database.close();
  });
});

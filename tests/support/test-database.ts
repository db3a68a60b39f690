import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { withClient, type DatabaseAddresses } from '#src/platform/db/client.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import type { Database } from '#src/platform/db/db.ts';
import { typeParsers } from '#src/platform/db/kysely-driver.ts';
import { ensureTestServer, templateOf } from '#tests/support/test-postgres.ts';

type QueuedEmail = {
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** The address that ends such emails, for mail programs. */
  stop: string | null;
  /** Until the address is proven. */
  held: boolean;
};

/** A migrated database for one test, as the product and as its owner see it. */
export type TestDatabase = DatabaseAddresses & {
  /** Uses the app role: row-level security applies. */
  database: Database;
  /** Rows without any policy. For checking the new state and for setting up unusual rows. */
  ownerQuery<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The emails to this address in the outbox, oldest first. Those that were sent have no text. */
  emailsTo(address: string): Promise<QueuedEmail[]>;
  superUrl: string;
  close(): Promise<void>;
};

/** Migrates an empty database, if it must not be a copy of the migrated one. */
export type MakeTables = (urls: { ownerUrl: string; superUrl: string }) => Promise<void>;

/** Makes a copy of the migrated database. Prefer `useTestDatabase` inside tests. */
export async function createTestDatabase(serverDir: string, makeTables?: MakeTables): Promise<TestDatabase> {
  const server = await ensureTestServer(serverDir);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = makeTables ? 'template0' : await templateOf(server);
  const urlOf = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await withClient(server.superUrl, (client) =>
    client.query(`create database ${name} template ${template} owner sideline_owner strategy file_copy`),
  );
  await makeTables?.({ ownerUrl: urlOf(server.ownerUrl), superUrl: urlOf(server.superUrl) });
  const urls = { ownerUrl: urlOf(server.ownerUrl), appUrl: urlOf(server.appUrl), superUrl: urlOf(server.superUrl) };
  return openTestDatabase(urls, async () => {
    await withClient(server.superUrl, (client) => client.query(`drop database ${name} with (force)`));
  });
}

/** @param remove called after it was closed */
export async function openTestDatabase(
  urls: { ownerUrl: string; appUrl: string; superUrl: string },
  remove: () => Promise<void>,
): Promise<TestDatabase> {
  const owner = new pg.Pool({ connectionString: urls.ownerUrl, max: 2, types: typeParsers });
  owner.on('error', () => undefined);
  // A busy machine is not an outage.
  const database = await openDatabase({ url: urls.appUrl, applicationName: 'sideline test', slotWaitMs: 15_000 });
  const ownerQuery = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await owner.query<Row>(text, values)).rows;
  return {
    database,
    ...urls,
    appRole: null,
    ownerQuery,
    emailsTo: (address) =>
      ownerQuery<QueuedEmail>(
        `select recipient, subject, body_text as text, html, unsubscribe_url as stop, held_for is not null as held
           from mail_outbox where recipient = $1 order by id`,
        [address],
      ),
    async close() {
      await database.close();
      await owner.end();
      await remove();
    },
  };
}

/** Call at the top of a test file or a `describe`; the fields are set from the first `beforeAll` on. */
export function useTestDatabase(open: (serverDir: string) => Promise<TestDatabase> = createTestDatabase): TestDatabase {
  const handle = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(handle, await open(inject('testServerDir')));
  });
  afterAll(() => handle.close?.());
  return handle;
}

/** The sessions of this database that wait for a lock. Other databases of the server have their own waits. */
export const WAITING_SESSIONS = `
  select from pg_locks waiting where not granted
     and pid in (select pid from pg_locks join pg_database d on d.oid = database where d.datname = current_database())`;

/** Begins `work` while rows are locked, and unlocks them when so many of its sessions wait for them: so they meet for certain. */
export async function meetAtLock<T>(
  { ownerUrl }: TestDatabase,
  { lock, sessions }: { lock: string; sessions: number },
  work: () => Promise<T>,
): Promise<T> {
  return withClient(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(lock);
    const done = work();
    await Promise.race([
      done,
      vi.waitFor(async () => expect((await client.query(WAITING_SESSIONS)).rows).toHaveLength(sessions), 15_000),
    ]);
    await client.query('commit');
    return done;
  });
}

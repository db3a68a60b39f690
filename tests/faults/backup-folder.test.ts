import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import {
  backUpToFolder,
  intactFile,
  listFolderBackups,
  openBackupObjects,
} from '#src/platform/backup/backup-folder.ts';
import { noted } from '#src/platform/backup/backup-log.ts';
import { restoreDatabase, restoreObjects } from '#src/platform/backup/restore-folder.ts';
import { systemClock } from '#src/platform/clock.ts';
import { OWNER_ROLE, withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import {
  embeddedUrl,
  runningPostgresPort,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '#src/platform/db/embedded-postgres.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { ensureRolesAt } from '#src/platform/db/roles.ts';
import { setWalArchive } from '#src/platform/db/wal-archive.ts';
import { openDiskStorage } from '#src/platform/storage/disk-storage.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { storePhoto } from '#tests/faults/support/stored-photo.ts';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { startDebianPostgres, whyNoDebianPostgres } from '#tests/faults/support/debian-postgres.ts';
import { NODE_ENVIRONMENT } from '#tests/support/node-environment.ts';

const run = promisify(execFile);
const SCRIPTS = path.resolve(import.meta.dirname, '../../scripts');
const CONTENT_TYPE = { contentType: 'image/jpeg' };

let folder: string;
let dataDir: string;
let backups: string;
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(path.join(inject('testServerDir'), 'backups-'));
  dataDir = path.join(folder, 'data');
  backups = path.join(folder, 'backups');
});
afterEach(async () => {
  await storage.close();
  for (const name of ['data', 'restored']) await stopEmbeddedPostgres(path.join(folder, name));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const storeIn = (below: string) =>
  openDiskStorage({
    folder: path.join(below, 'objects'),
    signingSecret: Buffer.alloc(32),
    baseDomain: 'localhost',
    clock: systemClock,
  });

/** The product's database and store, with one photo. */
async function startProduct(): Promise<string> {
  await copyPreparedFolder(dataDir);
  storage = await storeIn(dataDir);
  const server = await startEmbeddedPostgres({ dataDir });
  const ownerUrl = embeddedUrl(server.port, OWNER_ROLE, embeddedPasswords(dataDir).owner);
  await storePhoto(ownerUrl, storage, 'the first photograph');
  return ownerUrl;
}

const script = (name: string, args: readonly string[], env: Record<string, string>) =>
  run(process.execPath, [path.join(SCRIPTS, name), ...args], { env: { ...NODE_ENVIRONMENT, ...env } });

const namesOf = async (ownerUrl: string) =>
  (
    await withClient(ownerUrl, (client) => client.query<{ id: string }>('select object_id as id from audit_log'))
  ).rows.map(({ id }) => id);

/** Writes rows one after the other until it is ended; returns those that were acknowledged. */
function keepWriting(ownerUrl: string) {
  const acknowledged: string[] = [];
  let isOver = false;
  const done = withClient(ownerUrl, async (client) => {
    for (let count = 0; !isOver; count += 1) {
      await client.query("insert into audit_log (action, object_type, object_id) values ('note', 'test', $1)", [count]);
      acknowledged.push(String(count));
    }
  });
  return { acknowledged, end: () => ((isOver = true), done) };
}

describe('a folder of backups', () => {
  it('is added to during writes, and restores elsewhere with valid rows and pictures byte for byte', async () => {
    const ownerUrl = await startProduct();
    const writer = keepWriting(ownerUrl);
    let promised = 0;
    const options = { folder: backups, dataDir, databaseUrl: null, storage, keep: null };
    await backUpToFolder({ ...options, onDatabaseFixed: () => (promised = writer.acknowledged.length) });
    await writer.end();
    expect(promised).toBeGreaterThan(20);

    const restoredDir = path.join(folder, 'restored');
    const { stdout } = await script('restore.ts', [backups], { DATA_DIR: restoredDir });
    expect(stdout).toContain('1 objects restored');
    expect(stdout).toContain('0 violations');
    expect(stdout).toContain('Rows and objects agree.');
    const server = await startEmbeddedPostgres({ dataDir: restoredDir });
    const names = await namesOf(embeddedUrl(server.port, OWNER_ROLE, embeddedPasswords(restoredDir).owner));
    expect(names).toEqual(expect.arrayContaining(writer.acknowledged.slice(0, promised)));
    await server.stop();
    const restored = await storeIn(restoredDir);
    for await (const { key } of storage.list('')) expect(await restored.get(key)).toEqual(await storage.get(key));
    await restored.close();
  });

  it('copies only what is new, records how each run ended, and removes objects that no backup can refer to', async () => {
    const ownerUrl = await startProduct();
    const second = await storePhoto(ownerUrl, storage, 'the second photograph');
    const options = { folder: backups, dataDir, databaseUrl: null, storage, keep: 2 };
    const backUp = async () => (await noted(ownerUrl, 'folder', () => backUpToFolder(options))).objects;
    const first = await script('backup.ts', ['--keep', '2', `${backups}/`], { DATA_DIR: dataDir });
    expect(first.stdout).toContain('2 new objects');
    await storePhoto(ownerUrl, storage, 'the third photograph');
    await storage.remove(second);
    expect(await backUp()).toBe(1);
    const kept = await openBackupObjects(backups);
    expect(await kept.head(second), 'the backup before may name it').not.toBeNull();
    expect(await backUp()).toBe(0);
    await backUp();
    expect(await kept.head(second)).toBeNull();
    await kept.close();
    expect(await readdir(path.join(backups, 'databases'))).toHaveLength(4);
    await expect(script('backup.ts', [`${backups}/`], { DATA_DIR: backups })).rejects.toThrow('holds no database');
    const { rows } = await withClient(ownerUrl, (client) =>
      client.query('select kind, objects::int, error, bytes > 0 as "hasBytes" from backups order by id'),
    );
    expect(rows).toEqual([2, 1, 0, 0].map((objects) => ({ kind: 'folder', objects, error: null, hasBytes: true })));
  });

  it('removes backups that are older than a number of days, with the objects of only those, and keeps the newest', async () => {
    const ownerUrl = await startProduct();
    const photo = await storePhoto(ownerUrl, storage, 'a photograph that a family has deleted');
    const day = (count: number) => new Date(Date.now() + count * 86_400_000);
    const options = { folder: backups, dataDir, databaseUrl: null, storage, keep: null, days: 30 };
    const backUpOn = (count: number) => backUpToFolder({ ...options, now: day(count) });
    const databases = () => readdir(path.join(backups, 'databases'));
    await backUpOn(0);
    await storage.remove(photo);
    await backUpOn(29);
    expect(await databases()).toHaveLength(4);
    const kept = await openBackupObjects(backups);
    await backUpOn(31);
    expect(await databases()).toHaveLength(4);
    expect(await kept.head(photo), 'it may have gone just after the backup of day 29').not.toBeNull();
    await backUpOn(400);
    expect(await databases()).toHaveLength(2);
    expect(await kept.head(photo), 'no backup that is left was made before it went').toBeNull();
    await kept.close();
  });

  it('removes what an ended or failed run left there, once it is a day old', async () => {
    await startProduct();
    const databases = path.join(backups, 'databases');
    await mkdir(databases, { recursive: true });
    const [old, ofOthers] = [
      ['tar', 'tar.part', 'dump.part'].map((end) => `2026-11-01T03-30-00-000Z.${end}`),
      'notes.tar',
    ];
    const young = '2026-11-02T03-30-00-000Z.tar.part';
    for (const name of [...old, ofOthers, young]) await writeFile(path.join(databases, name), 'half of it');
    for (const name of [...old, ofOthers]) await utimes(path.join(databases, name), 1e9, 1e9);
    const { file } = await backUpToFolder({ folder: backups, dataDir, databaseUrl: null, storage, keep: null });
    expect((await readdir(databases)).toSorted()).toEqual(
      [young, ofOthers, file, file.replace(/tar$/, 'json')].toSorted(),
    );
  });

  it('keeps the database of a run that copies objects for days, whatever other runs find', async () => {
    await startProduct();
    const options = { folder: backups, dataDir, databaseUrl: null, keep: null };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const whileItCopies = async () => {
      const databases = path.join(backups, 'databases');
      const file = path.join(databases, (await readdir(databases))[0] ?? '');
      await utimes(file, 1e9, 1e9);
      vi.advanceTimersByTime(3_600_000);
      await expect.poll(async () => (await stat(file)).mtimeMs, { timeout: 10_000 }).toBeGreaterThan(1e12);
      await backUpToFolder({ ...options, storage });
    };
    const slow: Storage = {
      ...storage,
      async *list(prefix) {
        await whileItCopies();
        yield* storage.list(prefix);
      },
    };
    try {
      await backUpToFolder({ ...options, storage: slow });
    } finally {
      vi.useRealTimers();
    }
    const found = await listFolderBackups(backups);
    expect(found).toHaveLength(2);
    for (const backup of found) await intactFile(backups, backup);
  });

  it('says that its disk is full, and takes its file away', async (context) => {
    await startProduct();
    await mkdir(backups, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', backups]).catch(() =>
      context.skip('this user may not mount a small disk'),
    );
    try {
      await expect(script('backup.ts', [`${backups}/`], { DATA_DIR: dataDir })).rejects.toMatchObject({
        stderr: `There is no space left in ${backups}: free some and run the backup again. Earlier backups of the folder are not affected.\n`,
      });
      expect(await readdir(path.join(backups, 'databases'))).toEqual([]);
      await expect(script('backup.ts', [path.join(backups, 'one.tar')], { DATA_DIR: dataDir })).rejects.toMatchObject({
        stderr: 'There is no space left: free some and try again (ENOSPC: no space left on device, write).\n',
      });
    } finally {
      await run('umount', ['-l', backups]);
    }
  });

  it('says what is missing when rows and objects are from different moments, and continues', async () => {
    const ownerUrl = await startProduct();
    const options = { folder: backups, dataDir, databaseUrl: null, storage, keep: null };
    await backUpToFolder(options);
    const before = new Date();
    const lost = await storePhoto(ownerUrl, storage, 'a photograph of later');
    await backUpToFolder(options);

    // A database older than the store: objects that it does not know are kept.
    const older = path.join(folder, 'restored');
    const place = { folder: backups, at: before, wal: null, dataDir: older, databaseUrl: null };
    const { backup, stop } = await restoreDatabase(place);
    await stop();
    expect(new Date(backup.createdAt).getTime()).toBeLessThan(before.getTime());
    const store = await storeIn(older);
    expect(await restoreObjects(backups, store)).toMatchObject({ objects: 2 });
    expect(await store.head(lost)).not.toBeNull();
    await store.close();
    await rm(older, { recursive: true });

    // A store older than the database.
    await unlink(path.join(backups, 'objects', lost));
    const second = await script('restore.ts', [backups], { DATA_DIR: older });
    expect(second.stdout).toContain(`${lost} is missing`);
    expect(second.stdout).toContain('Everything else works');
    expect(second.stdout).toContain('start the product');
  });

  it('is replayed with the archive of the log to a moment between two backups', async () => {
    const archive = path.join(folder, 'wal');
    await mkdir(dataDir, { recursive: true });
    await setWalArchive(dataDir, archive);
    const ownerUrl = await startProduct();
    const note = (id: string) =>
      withClient(ownerUrl, (client) =>
        client.query("insert into audit_log (action, object_type, object_id) values ('note', 'test', $1)", [id]),
      );
    await backUpToFolder({ folder: backups, dataDir, databaseUrl: null, storage, keep: null });
    await note('before');
    // In progress when the backup was begun, and late at the moment.
    await withClient(ownerUrl, (client) =>
      client.query(
        `insert into sandbox_provider.charges (id, amount_cents, fee_cents, status, description, metadata, card, created_at)
         values ('ch_late', 100, 33, 'succeeded', '', '{}', '{}', now() - interval '15 minutes')`,
      ),
    );
    await sleep(50);
    const moment = new Date();
    await sleep(50);
    await note('after');
    const { superuser } = embeddedPasswords(dataDir);
    const { port } = new URL(ownerUrl);
    const superUrl = embeddedUrl(Number(port), 'postgres', superuser, 'postgres');
    const { rows } = await withClient(superUrl, (client) =>
      client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name'),
    );
    await expect.poll(() => readdir(archive)).toContain(`${rows[0]?.name}.gz`);

    const restoredDir = path.join(folder, 'restored');
    const refused = (at: Date, wal: string) =>
      restoreDatabase({ folder: backups, at, wal, dataDir: restoredDir, databaseUrl: null });
    await expect(refused(new Date('2100-01-01T00:00:00Z'), archive)).rejects.toThrow(
      /cannot be brought to 2100.* The last transaction in the archive is of \S+ \S+ UTC: give an earlier time/,
    );
    await expect(refused(moment, folder)).rejects.toThrow(`${folder} has no transaction since the backup of `);
    expect(await readdir(restoredDir)).toEqual(['postgres.log']);
    const args = ['--at', moment.toISOString(), '--wal', archive, backups];
    const { stdout } = await script('restore.ts', args, { DATA_DIR: restoredDir }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toMatch(/^I4: charge ch_late .*\n1 violations$/m);
    const server = await startEmbeddedPostgres({ dataDir: restoredDir });
    const restored = embeddedUrl(server.port, OWNER_ROLE, embeddedPasswords(restoredDir).owner);
    expect(await namesOf(restored)).toEqual(['before']);
    await server.stop();

    // It answers as soon as it is said to be restored, and not while it still replays.
    const place = {
      folder: backups,
      at: moment,
      wal: archive,
      dataDir: path.join(folder, 'at once'),
      databaseUrl: null,
    };
    const { stop } = await restoreDatabase(place);
    const atOnce = await runningPostgresPort(place.dataDir);
    const owner = embeddedPasswords(place.dataDir).owner;
    expect(await namesOf(embeddedUrl(atOnce ?? 0, OWNER_ROLE, owner))).toEqual(['before']);
    await stop();
  });

  it('does not keep damaged objects, and is not restored from a damaged file', async () => {
    const ownerUrl = await startProduct();
    const key = await storePhoto(ownerUrl, storage, 'a photograph that rots');
    await storage.put(key, Buffer.from('a photograph that rotted'), CONTENT_TYPE);
    await expect(script('backup.ts', [`${backups}/`], { DATA_DIR: dataDir })).rejects.toThrow(
      '1 objects that are damaged',
    );
    const [file = ''] = (await readdir(path.join(backups, 'databases'))).filter((name) => name.endsWith('.tar'));
    const bytes = await readFile(path.join(backups, 'databases', file));
    bytes[700_000] = (bytes[700_000] ?? 0) ^ 1;
    await rm(path.join(backups, 'databases', file));
    await writeFile(path.join(backups, 'databases', file), bytes);
    // Before anything is unpacked: a dump has no seal of its own.
    const restoredDir = path.join(folder, 'restored');
    await expect(script('restore.ts', [backups], { DATA_DIR: restoredDir })).rejects.toThrow(
      `${file} is damaged: restore another backup of the folder.`,
    );
    expect(existsSync(path.join(restoredDir, 'postgres'))).toBe(false);
  });

  const reason = whyNoDebianPostgres();
  it.skipIf(reason !== null)(
    `holds an operator’s own database, which is restored into another one${reason === null ? '' : ` (${reason})`}`,
    async () => {
      const server = await startDebianPostgres();
      try {
        const [from, to] = [await server.createDatabase('one'), await server.createDatabase('other')];
        storage = await storeIn(dataDir);
        const env = { DATA_DIR: dataDir, ALLOW_SANDBOX: '1', APP_SECRET: 's'.repeat(32) };
        await migrateAt(from);
        await storePhoto(from, storage, 'a photograph elsewhere');
        const writer = keepWriting(from);
        await script('backup.ts', [`${backups}/`], { ...env, DATABASE_URL: from });
        await writer.end();
        const databases = path.join(backups, 'databases');
        for (const name of await readdir(databases))
          expect((await stat(path.join(databases, name))).mode & 0o777).toBe(0o600);
        const restoredDir = path.join(folder, 'restored');
        const { stdout } = await script('restore.ts', [backups], { ...env, DATA_DIR: restoredDir, DATABASE_URL: to });
        expect(stdout).toContain('0 violations');
        expect(stdout).toContain('Rows and objects agree.');
        expect((await namesOf(to)).length).toBeGreaterThan(0);
        const place = { folder: backups, at: null, wal: null, dataDir: restoredDir };
        await expect(restoreDatabase({ ...place, databaseUrl: to })).rejects.toThrow('is restored into an empty one');
        // A trial needs no second server: it runs in an embedded one.
        const { stop } = await restoreDatabase({ ...place, databaseUrl: null });
        await stop();
      } finally {
        await server.stop();
      }
    },
  );
});

async function migrateAt(url: string): Promise<void> {
  const { ownerUrl } = await ensureRolesAt(url);
  await migrate(ownerUrl);
}

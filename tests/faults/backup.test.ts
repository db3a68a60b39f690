import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { backUp } from '#src/platform/backup/backup.ts';
import { restore } from '#src/platform/backup/restore.ts';
import { OWNER_ROLE, withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres, stopEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { NODE_ENVIRONMENT } from '#tests/support/node-environment.ts';

const run = promisify(execFile);
const SCRIPTS = path.resolve(import.meta.dirname, '../../scripts');

let folder: string;
let dataDir: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(inject('testServerDir'), 'backup-'));
  dataDir = path.join(folder, 'data');
  file = path.join(folder, 'backup.tar');
  await mkdir(path.join(dataDir, 'objects', 'originals'), { recursive: true });
  await writeFile(path.join(dataDir, 'objects', 'originals', 'one.jpg'), 'a photograph');
});
afterEach(async () => {
  for (const name of ['data', 'restored']) await stopEmbeddedPostgres(path.join(folder, name));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function startProduct(): Promise<string> {
  await copyPreparedFolder(dataDir);
  const server = await startEmbeddedPostgres({ dataDir });
  return embeddedUrl(server.port, OWNER_ROLE, embeddedPasswords(dataDir).owner);
}

const note = "insert into audit_log (action, object_type, object_id) values ('note', 'test', $1)";

async function notesIn(ownerUrl: string): Promise<Set<string>> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ id: string }>('select object_id as id from audit_log'),
  );
  return new Set(rows.map(({ id }) => id));
}

describe('a backup of the running product (fault F34)', () => {
  it('restores every row that was acknowledged before its database part ended, the secrets and the objects', async () => {
    const ownerUrl = await startProduct();
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = [1, 2, 3].map((writer) =>
      withClient(ownerUrl, async (client) => {
        for (let count = 0; !isOver; count += 1) {
          const id = `${writer}-${count}`;
          await client.query(note, [id]);
          acknowledged.push(id);
        }
      }),
    );
    const promised: string[] = [];
    const onDatabaseFixed = () => void promised.push(...acknowledged);
    const { files } = await backUp({ dataDir, file, withObjects: true, onDatabaseFixed });
    isOver = true;
    await Promise.all(writers);
    expect(files).toBeGreaterThan(500);
    expect(promised.length).toBeGreaterThan(20);
    expect(acknowledged.length).toBeGreaterThan(promised.length);

    const restoredDir = path.join(folder, 'restored');
    const { server, manifest } = await restore({ file, dataDir: restoredDir });
    expect(manifest).toMatchObject({ format: 1, postgresMajor: 18, hasObjects: true });
    const restored = await notesIn(embeddedUrl(server.port, 'sideline_owner', embeddedPasswords(restoredDir).owner));
    expect(promised.filter((id) => !restored.has(id))).toEqual([]);
    expect(embeddedPasswords(restoredDir)).toEqual(embeddedPasswords(dataDir));
    expect(await readFile(path.join(restoredDir, 'objects', 'originals', 'one.jpg'), 'utf8')).toBe('a photograph');
    await server.stop();
  });

  it('works for a stopped product, too, whose database starts again afterwards', async () => {
    const ownerUrl = await startProduct();
    await withClient(ownerUrl, (client) => client.query(note, ['before']));
    await stopEmbeddedPostgres(dataDir);
    await backUp({ dataDir, file, withObjects: true });
    const { server } = await restore({ file, dataDir: path.join(folder, 'restored') });
    const restored = embeddedUrl(server.port, 'sideline_owner', embeddedPasswords(dataDir).owner);
    expect(await notesIn(restored)).toEqual(new Set(['before']));
    await withClient(restored, (client) => client.query(note, ['after']));
    expect(await notesIn(restored)).toEqual(new Set(['before', 'after']));
    await server.stop();
  });

  it('is verified by the restore script, with the data checks, in a temporary folder', async () => {
    await startProduct();
    await rm(path.join(dataDir, 'objects', 'originals'), { recursive: true });
    const env = { ...NODE_ENVIRONMENT, DATA_DIR: dataDir };
    await run(process.execPath, [path.join(SCRIPTS, 'backup.ts'), file], { env });
    const { stdout } = await run(process.execPath, [path.join(SCRIPTS, 'restore.ts'), '--verify', file], { env });
    expect(stdout).toContain('0 violations');
    expect(stdout).toContain('the backup is good; nothing was changed');
  });

  it.each([
    [
      'a file that exists',
      async () => writeFile(file, ''),
      () => backUp({ dataDir, file, withObjects: true }),
      'exists already',
    ],
    [
      'a folder without a product',
      async () => undefined,
      () => backUp({ dataDir: folder, file, withObjects: true }),
      'holds no database',
    ],
    [
      'a folder that holds a product, as a place to restore to',
      async () => backUp({ dataDir: await started(), file, withObjects: true }),
      () => restore({ file, dataDir }),
      'exists already',
    ],
  ])('refuses %s', async (_what, arrange, act, sentence) => {
    await arrange();
    await expect(act()).rejects.toThrow(sentence);
  });

  async function started(): Promise<string> {
    await startProduct();
    return dataDir;
  }
});

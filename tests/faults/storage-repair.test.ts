/** Fault F20 with the real command: bits flip on the disk, the repair is killed in the middle, and the next one finishes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import { openGallery, settleNeighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let photoId: number;

beforeAll(async () => {
  const people = await settleNeighborhood(server);
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  ({ id: photoId } = await addPhoto(server, people.tokens.owner, galleryId, { bytes: await quartersJpeg(1608, 1000) }));
  const lab = openPictureLab({ concurrency: 1 });
  await server.app.uploads.ingest(photoId, lab);
  await lab.close();
});

type Ended = { how: number | string | null; said: string };

/** `npm run storage:check -- …` on the database and the objects of the test. */
async function command(options: readonly string[], crashAt: CrashPoint | '' = ''): Promise<Ended> {
  const { dataDir, appSecret } = server.platform.config;
  const env = {
    ...process.env,
    DATABASE_URL: server.data.superUrl,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    ALLOW_SANDBOX: '1',
    DEMO: 'off',
    CRASH_AT: crashAt,
  };
  const script = path.join(import.meta.dirname, '../../scripts/storage-check.ts');
  const child = spawn(process.execPath, [script, ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complained, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ]);
  return { how: signal ?? code, said: said + complained };
}

const fileOf = (key: string) => path.join(server.platform.config.dataDir, 'objects', key);
const photo = async () =>
  (
    await server.data.ownerQuery<{ version: number; original: string }>(
      'select pixel_version as version, original_key as original from photos where id = $1',
      [photoId],
    )
  )[0] ?? { version: 0, original: '' };

async function rot(key: string): Promise<void> {
  const bytes = await readFile(fileOf(key));
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  await writeFile(fileOf(key), bytes);
}

test.each<CrashPoint>(['repair.after_store', 'repair.before_commit'])(
  'a repair that is killed at %s changes nothing that counts, and the next one repairs it',
  async (point) => {
    const [rendition] = await server.data.ownerQuery<{ key: string }>(
      'select object_key as key from renditions where photo_id = $1 order by size limit 1',
      [photoId],
    );
    const before = await photo();
    await rot(rendition?.key ?? '');
    expect(await command([])).toMatchObject({
      how: 1,
      said: expect.stringContaining('has other bytes than were stored'),
    });
    expect(await command(['--repair'], point)).toMatchObject({ how: 'SIGKILL' });
    expect(await photo()).toEqual(before);
    const after = await command(['--repair']);
    expect(after.said).toContain('Rows and objects agree.');
    expect(after.how).toBe(0);
    expect(await command(['--repair'])).toEqual({ how: 0, said: '0 repaired, 0 lost.\nRows and objects agree.\n' });
  },
);

test('an original comes back from a folder that has it; without one the command says that it is lost', async () => {
  const { original } = await photo();
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-originals-'));
  try {
    const copy = path.join(folder, path.basename(original));
    await writeFile(copy, await readFile(fileOf(original)));
    await rot(original);
    await mkdir(path.join(folder, path.dirname(original)), { recursive: true });
    const without = await command(['--repair', '--originals', folder]);
    expect([without.how, without.said]).toEqual([1, expect.stringMatching(/^lost: photo \d+: original /)]);
    await writeFile(path.join(folder, original), await readFile(copy));
    const found = await command(['--repair', '--originals', folder]);
    expect([found.how, found.said]).toEqual([
      0,
      expect.stringMatching(/^repaired: photo \d+: original .*is missing\n1 repaired, 0 lost/),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

test.each([
  [['--repare'], 'Usage: npm run storage:check -- [--repair [--originals FOLDER]]'],
  [['--originals', '/nowhere'], '--originals needs --repair.'],
  [['--repair', '--originals', '/no/such/folder'], '/no/such/folder is not a folder.'],
])('%j is refused in a sentence', async (options, sentence) => {
  expect(await command(options)).toMatchObject({ how: 2, said: expect.stringContaining(sentence) });
});

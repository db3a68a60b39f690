/** Fault F1: the process is killed in the middle of an upload, at each critical place. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#src/platform/clock.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import { openDiskStorage, type DiskStorage } from '#src/platform/storage/disk-storage.ts';
import { formEntries, jpegBlob, postForm } from '#tests/support/upload-form.ts';

const KEY = 'uploads/1/2/a.jpg';
const UPLOAD_PROCESS = path.resolve(import.meta.dirname, '../support/upload-process.ts');

let folder: string;
let uploads: ChildProcess | null = null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sideline-crash-'));
});
afterEach(async () => {
  if (uploads && uploads.exitCode === null && uploads.signalCode === null) {
    uploads.kill('SIGKILL');
    await once(uploads, 'exit');
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function startUploads(crashAt?: CrashPoint): Promise<string> {
  uploads = spawn(process.execPath, [UPLOAD_PROCESS, folder], {
    env: { ...process.env, CRASH_AT: crashAt ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(uploads.stdout ?? uploads, 'data')) as [Buffer];
  return line.toString().trim();
}

const open = (): Promise<DiskStorage> =>
  openDiskStorage({
    folder,
    signingSecret: Buffer.alloc(32, 'rig'),
    baseDomain: 'sideline.localhost',
    clock: systemClock,
  });

async function sign(origin: string) {
  const storage = await open();
  return storage.signUpload({
    key: KEY,
    contentType: 'image/jpeg',
    maxBytes: 10_485_760,
    expiresAt: new Date(Date.now() + 600_000),
    origin,
  });
}

const visible = async (storage: DiskStorage): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of storage.list('')) keys.push(key);
  return keys;
};

describe('a kill during an upload', () => {
  test.each<[CrashPoint, string]>([
    ['upload.quarter_written', 'nothing'],
    ['upload.before_rename', 'nothing'],
    ['upload.after_rename', 'the whole object'],
    ['upload.before_201', 'the whole object'],
  ])('at %s leaves %s, and the same form sent again ends well', async (point, left) => {
    const bytes = randomBytes(2_000_000);
    const origin = await startUploads(point);
    const policy = await sign(origin);
    const killed = uploads && once(uploads, 'exit');
    await expect(postForm(policy.url, formEntries(policy, jpegBlob(bytes)))).rejects.toThrow();
    expect(await killed).toEqual([null, 'SIGKILL']);

    const again = await startUploads();
    const storage = await open();
    expect(await readdir(path.join(folder, '.incoming')), 'what was half-written is swept at the start').toEqual([]);
    expect(await visible(storage)).toEqual(left === 'nothing' ? [] : [KEY]);
    const answer = await postForm(policy.url.replace(origin, again), formEntries(policy, jpegBlob(bytes)));
    expect(answer.status).toBe(left === 'nothing' ? 201 : 403);
    expect((await storage.get(KEY))?.equals(bytes)).toBe(true);
    expect(await visible(storage)).toEqual([KEY]);
  });
});

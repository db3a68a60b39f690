/** Both stores behind one interface, for tests that must pass for either. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import fastify, { type FastifyInstance } from 'fastify';
import { storagePostRoutes } from '#src/http/storage-post.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import { openDiskStorage, type DiskStorage, type DiskStorageOptions } from '#src/platform/storage/disk-storage.ts';
import { openS3Storage } from '#src/platform/storage/s3-storage.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

export type StorageRig<Store extends Storage = Storage> = {
  storage: Store;
  /** What to put as `origin` into policy requests. */
  origin: string;
  close(): Promise<void>;
};

export type DiskRig = StorageRig<DiskStorage> & { folder: string; server: FastifyInstance };

/** The disk driver in its own folder, with its upload route on a free port. */
export async function openDiskRig(
  options: { clock?: Clock; folder?: string } & Pick<DiskStorageOptions, 'freeSpace' | 'lookAtDisk'> = {},
): Promise<DiskRig> {
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'sideline-objects-')));
  const storage = await openDiskStorage({
    ...options,
    folder,
    signingSecret: Buffer.alloc(32, 'rig'),
    baseDomain: 'sideline.localhost',
    clock: options.clock ?? systemClock,
  });
  const server = fastify();
  await server.register(storagePostRoutes(storage));
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    storage,
    origin,
    folder,
    server,
    async close() {
      await server.close();
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What `../shared/tools/rgw-up.sh` starts. */
const RADOSGW = { endpoint: 'http://127.0.0.1:7480', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVERSECRET' };
/** They are in that script. */
const RADOSGW_PORTS = [7480, 16_789];
const TOOLS = path.resolve(import.meta.dirname, '../../../shared/tools');

/** Why the S3 half cannot run here; null when it can. A real store is started from Debian's packages of Ceph. */
export async function whyNoS3(): Promise<string | null> {
  if (process.env.SIDELINE_TEST_S3 === '0') return 'SIDELINE_TEST_S3=0';
  if (!['rgw-up.sh', 'rgw-down.sh'].every((script) => existsSync(path.join(TOOLS, script))))
    return 'no scripts that start a store (../shared/tools)';
  const missing = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'bc', 'curl'].filter(
    (program) => !isInstalled(program),
  );
  if (missing.length > 0)
    return `not installed: ${missing.join(', ')} (Debian: radosgw ceph-mon ceph-osd ceph-common bc curl)`;
  for (const port of RADOSGW_PORTS) if (await isTaken(port)) return `port ${port} is taken`;
  return null;
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The S3 driver with a fresh bucket in a radosgw that is started for it. */
export async function openS3Rig(): Promise<StorageRig> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-rgw-'));
  const run = (script: string) =>
    execFileSync('bash', [path.join(TOOLS, script), folder], { stdio: 'ignore', timeout: 60_000 });
  try {
    run('rgw-up.sh');
    const bucket = `test-${randomBytes(6).toString('hex')}`;
    const place = {
      bucket,
      endpoint: RADOSGW.endpoint,
      region: 'us-east-2',
      forcePathStyle: true,
      credentials: RADOSGW,
    };
    const { bucket: Bucket, ...client } = place;
    await new S3Client(client).send(new CreateBucketCommand({ Bucket }));
    const storage = await openS3Storage(place);
    return {
      storage,
      origin: 'http://www.sideline.localhost:3000',
      async close() {
        await storage.close();
        run('rgw-down.sh');
      },
    };
  } catch (error) {
    run('rgw-down.sh');
    throw error;
  }
}

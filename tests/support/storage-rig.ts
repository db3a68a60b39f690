/** Both stores behind one interface, for tests that must pass for either. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { storagePostRoutes } from '#src/http/storage-post.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import { openDiskStorage, type DiskStorage, type DiskStorageOptions } from '#src/platform/storage/disk-storage.ts';
import { openS3Storage } from '#src/platform/storage/s3-storage.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { whyNoRadosgw } from '#tests/support/installed.ts';
import { startRadosgw } from '#tests/support/radosgw.ts';

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
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Why the S3 half cannot run here; null if it can. A real store is started from Debian's packages of Ceph. */
export const whyNoS3 = (): string | null =>
  process.env.SIDELINE_TEST_S3 === '0' ? 'SIDELINE_TEST_S3=0' : whyNoRadosgw();

/** The S3 driver with a bucket in a store that is started for it. */
export async function openS3Rig(): Promise<StorageRig> {
  const store = await startRadosgw();
  try {
    const storage = await openS3Storage(await store.makeBucket('test'));
    return {
      storage,
      origin: 'http://www.sideline.localhost:3000',
      async close() {
        await storage.close();
        await store.stop();
      },
    };
  } catch (error) {
    await store.stop();
    throw error;
  }
}

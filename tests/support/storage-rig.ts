/** Both stores behind one interface, for tests that must pass for either. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { storagePostRoutes } from '#src/http/storage-post.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { openDiskStorage, type DiskStorage, type DiskStorageOptions } from '#src/platform/storage/disk-storage.ts';
import { openS3Storage, type S3StorageOptions } from '#src/platform/storage/s3-storage.ts';
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
  options: { clock?: Clock; folder?: string } & Pick<DiskStorageOptions, 'freeSpace' | 'statDisk'> = {},
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

/**
 * Why the S3 half cannot run here; null if it can. A real store is started from Debian's packages of Ceph; with
 * SIDELINE_TEST_S3=own it is the store and the bucket that the product's own settings name.
 */
export function whyNoS3(): string | null {
  const wanted = process.env.SIDELINE_TEST_S3;
  if (wanted === 'own') return null;
  return wanted === '0' ? 'SIDELINE_TEST_S3=0' : whyNoRadosgw();
}

/** The S3 driver with an empty bucket. */
export async function openS3Rig(): Promise<StorageRig> {
  const { place, stop } = await (process.env.SIDELINE_TEST_S3 === 'own' ? namedStore() : startedStore());
  try {
    const storage = await openS3Storage(place);
    return await onlyIfEmpty({
      storage,
      origin: 'http://www.sideline.localhost:3000',
      async close() {
        await storage.close();
        await stop();
      },
    });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Refuses a store with objects, which tests would copy and add to; afterwards it is empty again. */
export async function onlyIfEmpty({ storage, ...rig }: StorageRig): Promise<StorageRig> {
  for await (const { key } of storage.list('')) {
    await storage.close();
    throw new Error(`The store must be empty: it contains ${key}.`);
  }
  return {
    ...rig,
    storage,
    async close() {
      for (const key of await keysOf(storage)) await storage.remove(key);
      await rig.close();
    },
  };
}

export async function keysOf(storage: Storage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list('')) keys.push(key);
  return keys;
}

type Store = { place: S3StorageOptions; stop(): Promise<void> };

async function namedStore(): Promise<Store> {
  const { s3 } = readConfig(process.env);
  if (s3 === null) throw new Error('S3_BUCKET must be set.');
  return { place: s3, stop: async () => undefined };
}

async function startedStore(): Promise<Store> {
  const store = await startRadosgw();
  try {
    return { place: await store.makeBucket('test'), stop: () => store.stop() };
  } catch (error) {
    await store.stop();
    throw error;
  }
}

/**
 * Renditions are stored under the hash of their bytes: first the objects, then their rows, in the transaction that makes them
 * count. In between another purge may have found one of them unused; then it is stored again.
 */
import * as renditionsSql from '#src/features/pictures/renditions.sql.ts';
import type { Database, Scope, Writer } from '#src/platform/db/db.ts';
import type { Rendition } from '#src/platform/images/images.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

/** Renditions whose objects are stored. */
export type StoredRenditions = {
  rows: renditionsSql.RenditionRow[];
  objects: ReadonlyMap<string, Rendition>;
};

const STORE: Scope = { kind: 'system', why: 'objects are named by their content and belong to no tenant' };
const UNCOUNTED_MINUTES = 24 * 60;

type RenditionStoreDeps = { storage: Pick<Storage, 'put'> };

function put(ctx: RenditionStoreDeps, key: string, { bytes, sha256 }: Rendition) {
  return ctx.storage.put(key, bytes, { contentType: 'image/jpeg', bytes: bytes.length, sha256 });
}

/** Stores each distinct picture once; equal ones share an object. `halfway` lets tests crash in the middle. */
export async function store(
  ctx: RenditionStoreDeps,
  renditions: readonly Rendition[],
  halfway: () => void = () => undefined,
): Promise<StoredRenditions> {
  const objects = new Map(renditions.map((rendition) => [keyOf(rendition), rendition]));
  let left = objects.size;
  const putOne = async ([key, rendition]: [string, Rendition]) => {
    await put(ctx, key, rendition);
    if (--left === Math.floor(objects.size / 2)) halfway();
  };
  // All start together: a disk then writes them with fewer commits of its journal.
  await Promise.all([...objects].map(putOne));
  const rows = renditions.map(({ bytes, ...rendition }) => ({
    ...rendition,
    bytes: bytes.length,
    key: keyOf(rendition),
  }));
  return { rows, objects };
}

/**
 * Like `store`, but if the process dies before they count, they are deleted a day later: for work that may not produce the same
 * bytes when repeated.
 */
export async function storeForNow(
  ctx: RenditionStoreDeps & { database: Pick<Database, 'write'> },
  renditions: readonly Rendition[],
): Promise<StoredRenditions> {
  const keys = [...new Set(renditions.map(keyOf))];
  await ctx.database.write(STORE, (tx) => renditionsSql.removeLater(tx, keys, UNCOUNTED_MINUTES));
  return store(ctx, renditions);
}

/** Protects them, and the original if given, from purges until the transaction ends. */
export async function protectFromPurge(
  ctx: RenditionStoreDeps,
  tx: Writer,
  { objects }: StoredRenditions,
  original?: { key: string; copyAgain: () => Promise<unknown> },
): Promise<void> {
  const keys = [...objects.keys(), ...(original ? [original.key] : [])];
  const [, condemned] = await Promise.all([
    renditionsSql.lockObjectsShared(tx),
    renditionsSql.cancelRemovals(tx, keys),
  ]);
  for (const key of condemned) {
    const rendition = objects.get(key);
    if (rendition) await put(ctx, key, rendition);
    else await original?.copyAgain();
  }
}

function keyOf({ sha256 }: Pick<Rendition, 'sha256'>): string {
  return `renditions/${sha256.slice(0, 2)}/${sha256}.jpg`;
}

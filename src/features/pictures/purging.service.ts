/**
 * Permanent removal of a photo: its renditions immediately (a takedown) or an hour after its removal, its file only if
 * no one bought it. Objects are named by their content, so two photos may share one: the worker condemns an object when
 * no photo refers to it anymore, and only then deletes it. A lock keeps other code from referring to it meanwhile.
 */
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import { asideKey, isOriginal } from '#src/features/pictures/damaged-objects.rules.ts';
import * as renditionsSql from '#src/features/pictures/renditions.sql.ts';
import { clearObjectsJob } from '#src/features/pictures/pictures.jobs.ts';
import { cdnTags } from '#src/platform/cdn/cdn.ts';
import type { Scope, Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

export type PurgingDeps = Pick<Platform, 'database' | 'jobs' | 'cdn'> & {
  storage: Pick<Storage, 'remove'>;
};

const WORKER: Scope = { kind: 'system', why: 'objects may be shared by photos of several tenants' };
/** An order that is just being written may still need the file. */
const ORIGINAL_MINUTES = 60;
/** Photos that no order has are purged this long after they were removed. */
const REMOVED_MINUTES = 60;
const PHOTOS_AT_A_TIME = 100;
/** Few, because no one can refer to an object while they are deleted. */
const OBJECTS_AT_A_TIME = 20;

/** In the caller's transaction; returns the galleries of the purged photos. */
async function purgeWithin(tx: Writer, photos: { ids: readonly number[]; galleryId: number | null }) {
  const purged = await renditionsSql.markPurged(tx, photos);
  if (purged.length === 0) return purged;
  const ids = purged.map(({ id }) => id);
  const renditions = await renditionsSql.takeRenditions(tx, ids);
  await renditionsSql.deleteKeywordsOf(tx, ids);
  await renditionsSql.removeLater(tx, renditions, 0);
  const originals = [...new Set(purged.flatMap(({ originalKey }) => originalKey ?? []))];
  await renditionsSql.removeLater(tx, originals, ORIGINAL_MINUTES);
  await purgedObjects.notify(tx, renditions);
  return purged;
}

/** Both steps for a few objects; returns whether there may be more. */
async function clearSome(ctx: PurgingDeps): Promise<boolean> {
  const condemned = await ctx.database.write(WORKER, async (tx) => {
    await renditionsSql.lockObjects(tx);
    return renditionsSql.condemnDue(tx, OBJECTS_AT_A_TIME);
  });
  crashAt('purge.condemned');
  const removed = await ctx.database.write(WORKER, async (tx) => {
    await renditionsSql.lockObjects(tx);
    const keys = await renditionsSql.listCondemned(tx, OBJECTS_AT_A_TIME);
    if (keys.length === 0) return 0;
    const aside = keys.filter(isOriginal).map(asideKey);
    await Promise.all([...keys, ...aside].map((key) => ctx.storage.remove(key)));
    crashAt('purge.after_remove');
    await renditionsSql.markRemoved(tx, keys);
    return keys.length;
  });
  return condemned === OBJECTS_AT_A_TIME || removed === OBJECTS_AT_A_TIME;
}

/**
 * Called in the transaction of a takedown: the photo is removed, its addresses return 404 after the commit, and its
 * renditions are deleted from the store, the memory of every process and the CDN. Its file stays while an order has it
 * (rule 26). Purging again changes nothing.
 */
export async function purge(ctx: PurgingDeps, tx: Writer, photo: { galleryId: number; photoId: number }) {
  await purgeWithin(tx, { ids: [photo.photoId], galleryId: photo.galleryId });
  await ctx.cdn.requestPurge(tx, [cdnTags.photo(photo.photoId)]);
  await ctx.jobs.enqueue(tx, clearObjectsJob, null);
}

/** Purges photos that were removed an hour ago and never sold. Returns how many. */
export async function purgeRemoved(ctx: PurgingDeps): Promise<number> {
  for (let count = 0; ;) {
    const ids = await ctx.database.read(WORKER, (db) =>
      renditionsSql.listToPurge(db, { minutes: REMOVED_MINUTES, limit: PHOTOS_AT_A_TIME }),
    );
    if (ids.length > 0) await ctx.database.write(WORKER, (tx) => purgeWithin(tx, { ids, galleryId: null }));
    count += ids.length;
    if (ids.length < PHOTOS_AT_A_TIME) return count;
  }
}

/** Deletes every due object that no photo refers to. Can be interrupted at any time. */
export async function clearObjects(ctx: PurgingDeps): Promise<void> {
  while (await clearSome(ctx));
  await ctx.database.write(WORKER, (tx) => renditionsSql.forgetOldRemovals(tx));
}

/**
 * Hourly: removes uploads that were not claimed within a day, and objects that a crash left behind after their photo was ready.
 * Objects without any row may be newer than a restored database, and wait (fault F35).
 */
import { UNCLAIMED_HOURS, UNCLAIMED_HOURS_WHEN_FULL } from '#src/features/uploads/uploads.contract.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import type { Scope } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { KEPT_WITHOUT_ROW_DAYS, type Storage } from '#src/platform/storage/storage.ts';

export type UploadSweepDeps = Pick<Platform, 'database' | 'clock'> & {
  storage: Pick<Storage, 'list' | 'remove' | 'hasSpace'>;
};

const SWEEPER: Scope = { kind: 'system', why: 'unclaimed uploads are cleared for every tenant' };
const SWEEP_STEP = 500;
const HOUR_MS = 3_600_000;
/** Logos and the like, which are uploads without a row. */
const OF_SETTINGS = /^uploads\/\d+\/settings\//;

/** Only running uploads are below `uploads/`; an old one that no photo waits for belongs to no one. */
async function sweepObjects(ctx: UploadSweepDeps): Promise<number> {
  const now = ctx.clock.now().getTime();
  let removed = 0;
  let old = new Map<string, number>();
  const clear = async () => {
    const keys = [...old.keys()];
    const unneeded =
      keys.length === 0 ? [] : await ctx.database.read(SWEEPER, (db) => uploadsSql.listUnneeded(db, keys));
    for (const { key, isKnown } of unneeded) {
      if (!isKnown && !OF_SETTINGS.test(key) && (old.get(key) ?? 0) < KEPT_WITHOUT_ROW_DAYS * 24) continue;
      await ctx.storage.remove(key);
      removed += 1;
    }
    old = new Map();
  };
  for await (const { key, lastModified } of ctx.storage.list('uploads/')) {
    const hours = (now - lastModified.getTime()) / HOUR_MS;
    if (hours > UNCLAIMED_HOURS && old.set(key, hours).size === SWEEP_STEP) await clear();
  }
  await clear();
  return removed;
}

/**
 * Removes uploads that were not claimed within a day (on a full disk, within an hour), and objects that a crash left behind.
 * Returns how many.
 */
export async function sweepUploads(ctx: UploadSweepDeps): Promise<number> {
  const hours = (await ctx.storage.hasSpace()) ? UNCLAIMED_HOURS : UNCLAIMED_HOURS_WHEN_FULL;
  let removed = 0;
  for (let keys: string[] = []; ;) {
    keys = await ctx.database.write(SWEEPER, (tx) => uploadsSql.deleteUnclaimed(tx, hours, SWEEP_STEP));
    for (const key of keys) await ctx.storage.remove(key);
    removed += keys.length;
    if (keys.length < SWEEP_STEP) break;
  }
  return removed + (await sweepObjects(ctx));
}

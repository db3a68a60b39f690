/**
 * Every hour: what was uploaded and not claimed within a day is removed, and so are objects that
 * a crash left behind after their photo was ready.
 */
import { UNCLAIMED_HOURS, UNCLAIMED_HOURS_WHEN_FULL } from '#src/features/uploads/uploads.contract.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database, Scope } from '#src/platform/db/db.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

export type UploadSweepDeps = {
  database: Database;
  storage: Pick<Storage, 'list' | 'remove' | 'hasSpace'>;
  clock: Clock;
};

const SWEEPER: Scope = { kind: 'system', why: 'unclaimed uploads are cleared for every tenant' };
const SWEEP_STEP = 500;

/** Only uploads on their way live below `uploads/`; an old one that no photo waits for is no one's. */
async function sweepObjects(ctx: UploadSweepDeps): Promise<number> {
  const bornBefore = ctx.clock.now().getTime() - UNCLAIMED_HOURS * 3_600_000;
  let removed = 0;
  let old: string[] = [];
  const clear = async () => {
    const keys = old.length === 0 ? [] : await ctx.database.read(SWEEPER, (db) => uploadsSql.listUnneeded(db, old));
    for (const key of keys) await ctx.storage.remove(key);
    removed += keys.length;
    old = [];
  };
  for await (const object of ctx.storage.list('uploads/')) {
    if (object.lastModified.getTime() < bornBefore && old.push(object.key) === SWEEP_STEP) await clear();
  }
  await clear();
  return removed;
}

/** Removes what was uploaded and not claimed within a day (on a full disk, within an hour), and objects that a crash left behind. Returns how many. */
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

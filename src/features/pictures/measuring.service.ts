/** Measures hash and sharpness of old photos, a few at a time, from their clean renditions. */
import * as renditionsSql from '#src/features/pictures/renditions.sql.ts';
import type { Database, Scope } from '#src/platform/db/db.ts';
import type { RenditionWork } from '#src/platform/images/images.ts';
import { bind } from '#src/shared/bind.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

const WORKER: Scope = { kind: 'system', why: 'the worker measures the photos of every tenant' };
/** A few every five minutes: 100,000 photos take two days, without noticeable load. */
const PHOTOS_A_RUN = 200;

export type MeasuringDeps = { database: Database; storage: Pick<Storage, 'get'> };

/** Measures some; returns how many. A lost or damaged rendition waits for a repair and delays no others. */
export async function measurePhotos(ctx: MeasuringDeps, lab: Pick<RenditionWork, 'measure'>, signal?: AbortSignal) {
  let measured = 0;
  for (let after = 0; measured < PHOTOS_A_RUN;) {
    const photos = await ctx.database.read(WORKER, (db) => renditionsSql.listUnmeasured(db, after, PHOTOS_A_RUN));
    const last = photos.at(-1);
    if (!last) return measured;
    after = last.id;
    for (const photo of photos) {
      if (signal?.aborted === true) return measured;
      const rendition = await ctx.storage.get(photo.key);
      const measures = rendition && (await lab.measure(rendition).catch(() => null));
      if (!measures) continue;
      await ctx.database.write(WORKER, (tx) => renditionsSql.setMeasures(tx, photo, measures));
      measured += 1;
    }
  }
  return measured;
}

export const createMeasuring = (deps: MeasuringDeps) => bind(deps, { measurePhotos });

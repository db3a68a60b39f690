/**
 * P1-P3: the cost of making photos ready, from the stored bytes to the ready row: CPU against one sharp resize of the
 * same file, rate and memory.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { developCpuMs, measureIngestRate, measurePictureMemory } from '#tests/load/ingest.ts';
import { cameraPhotos, sharedPhotos } from '#tests/load/camera-photos.ts';
import { makeOwner, type Owner } from '#tests/load/made-owner.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { openYardstick } from '#tests/load/yardsticks/open-sharp-resize.ts';

const LOOK_EVERY_MS = 100;
/** Work after the ready row (the upload is deleted, the job is completed) belongs to the photo, too. */
const AFTER_MS = 300;

/**
 * Photos before those that count, until V8 has compiled what they run (decision record 0133): some one after the other,
 * and some at the pace of those that count, during which the processes collect their garbage once.
 */
const UNCOUNTED_PHOTOS = { fast: 25, slow: 10 };

/** The product at work, and a session that reads its rows. */
type Watched = { product: Product; owner: Owner; session: pg.Client };

async function isReady({ session }: Watched, photoId: number): Promise<boolean> {
  const look = { name: 'look', text: 'select status, problem from photos where id = $1', values: [photoId] };
  const { rows } = await session.query<{ status: string; problem: string | null }>(look);
  if (rows[0]?.status === 'failed') throw new Error(`a photo failed: ${rows[0].problem ?? ''}`);
  return rows[0]?.status === 'ready';
}

/** CPU of the whole product, database included, while `work` is done. Milliseconds. */
async function spent({ product }: Watched, work: () => Promise<void>): Promise<{ cpuMs: number; wallMs: number }> {
  const pids = [product.pid, product.postgresPid];
  const [before, start] = [cpuMsOf(pids), performance.now()];
  await work();
  return { cpuMs: cpuMsOf(pids) - before, wallMs: performance.now() - start };
}

/**
 * CPU of the whole product from the claim until the photo is ready and all work is done, minus what it uses in the same
 * time right afterwards when it only answers the same reads of the row.
 */
async function ingestCpuMs(watched: Watched, galleryId: number, file: string): Promise<number> {
  const { owner } = watched;
  const key = await owner.store(galleryId, await readFile(file), basename(file));
  await pause(AFTER_MS);
  let photoId = 0;
  const busy = await spent(watched, async () => {
    photoId = await owner.claim(galleryId, key);
    while (!(await isReady(watched, photoId))) await pause(LOOK_EVERY_MS);
    await pause(AFTER_MS);
  });
  const idle = await spent(watched, async () => {
    const end = performance.now() + busy.wallMs - AFTER_MS;
    while (performance.now() < end) {
      await isReady(watched, photoId);
      await pause(LOOK_EVERY_MS);
    }
    await pause(AFTER_MS);
  });
  return busy.cpuMs - idle.cpuMs * (busy.wallMs / idle.wallMs);
}

async function warmUp(watched: Watched, galleryId: number, file: string): Promise<void> {
  const { owner } = watched;
  const bytes = await readFile(file);
  for (let photo = 0; photo < UNCOUNTED_PHOTOS.fast; photo++) {
    const photoId = await owner.claim(galleryId, await owner.store(galleryId, bytes, basename(file)));
    while (!(await isReady(watched, photoId))) await pause(LOOK_EVERY_MS);
  }
  for (let photo = 0; photo < UNCOUNTED_PHOTOS.slow; photo++) await ingestCpuMs(watched, galleryId, file);
}

async function measure(bench: Bench): Promise<BenchResult> {
  const drawn = await cameraPhotos(bench);
  const product = await bench.product(UNCACHED);
  const yardstick = openYardstick();
  const lab = openPictureLab({ concurrency: 1 });
  const session = new pg.Client({ connectionString: product.ownerUrl });
  try {
    await session.connect();
    const { organizationId, galleryId } = await makeGallery(product.ownerUrl, 0);
    const watched = { product, session, owner: await makeOwner(product, organizationId) };
    await warmUp(watched, galleryId, drawn[0] ?? '');
    const sums = { ingest: 0, picture: 0, plain: 0 };
    const details: Record<string, number> = {};
    for (const file of [...drawn, ...bench.pick(await sharedPhotos('phones'), [])]) {
      const ingest: number[] = [];
      const plain: number[] = [];
      for (let round = 0; round <= bench.rounds; round++) {
        const cpuMs = {
          ingest: await ingestCpuMs(watched, galleryId, file),
          plain: await yardstick.cpuMs(file),
        };
        if (round === 0) continue;
        ingest.push(cpuMs.ingest);
        plain.push(cpuMs.plain);
      }
      sums.ingest += median(ingest);
      sums.plain += median(plain);
      sums.picture += await developCpuMs(lab, file, bench.rounds);
      details[`${basename(file)} ratio`] = median(ingest) / median(plain);
    }
    return {
      figures: { ingest: { value: sums.ingest / sums.plain, must: 1.9, aim: 1.5 } },
      details: { ...details, 'picture process only': sums.picture / sums.plain },
    };
  } finally {
    await session.end();
    yardstick.close();
    await lab.close();
  }
}

export const ingestRow: BenchRow = {
  name: 'P1',
  what: 'CPU of ingest, stored bytes to ready / one sharp 1440 px raw resize',
  measure,
};

export const ingestRateRow: BenchRow = {
  name: 'P2',
  what: 'ingest rate, two pictures at a time / one at a time',
  measure: async (bench) => {
    const rate = await measureIngestRate(await cameraPhotos(bench), bench.rounds);
    return { figures: { 'two at a time': { value: rate, must: 1.6, aim: 1.85, isLeast: true } }, details: {} };
  },
};

export const pictureMemoryRow: BenchRow = {
  name: 'P3',
  what: 'peak memory of a picture process over 60 camera files',
  measure: async (bench) => {
    const bytes = await measurePictureMemory(await cameraPhotos(bench), bench.pick(60, 20));
    return { figures: { 'peak MB': { value: bytes / 1_000_000, must: 350, aim: 280 } }, details: {} };
  },
};

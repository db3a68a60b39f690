/** P17 and P26: memory of everything that `npm start` runs, at rest and while photos arrive, and its CPU when nothing happens. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { end, remember } from '#tests/load/children.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import { AS_STARTED, type Bench } from '#tests/load/open-bench.ts';
import { cameraPhotos } from '#tests/load/camera-photos.ts';
import { cpuMsOf, treeOf } from '#tests/load/process-cpu.ts';
import { pssMb } from '#tests/load/process-memory.ts';
import { processesOf, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { stampPhoto } from '#tests/support/stamped-photo.ts';
import { withClient } from '#src/platform/db/client.ts';

/**
 * Since the start: garbage of the start is collected once the processes are quiet, and returned to the system some
 * seconds later.
 */
const REST_MS = 40_000;
/** The first minute after a start has jobs of its own, and each minute has its jobs. */
const MINUTE_MS = 60_000;
const BARE_START_MS = 2_000;
const SAMPLE_MS = 100;
const AT_A_TIME = 2;

/** Two rows wait for the same product, one after the other: what the first has waited, the second does not wait again. */
const untilAge = ({ readyAt }: Product, ms: number) => pause(Math.max(0, readyAt + ms - performance.now()));

async function measureRest(bench: Bench): Promise<BenchResult> {
  const product = await bench.product(AS_STARTED);
  await untilAge(product, bench.pick(REST_MS, 18_000));
  const [ours, database] = [pssMb(processesOf(product)), pssMb(treeOf([product.postgresPid]))];
  return {
    figures: { 'at rest MB': { value: ours + database, must: 400, aim: 250 } },
    details: { 'Node processes MB': ours, 'PostgreSQL MB': database },
  };
}

async function measurePeak(bench: Bench): Promise<BenchResult> {
  const product = await bench.product(AS_STARTED);
  const idleSeconds = bench.pick(MINUTE_MS, 20_000) / 1_000;
  const everything = [product.pid, product.postgresPid];
  // What one wake costs on this machine: at rest, some virtual machines take a hundred times as long as others.
  const bare = remember(spawn(process.execPath, ['-e', 'setInterval(() => {}, 100)'], { stdio: 'ignore' }));
  await Promise.all([untilAge(product, bench.pick(MINUTE_MS, 25_000)), pause(BARE_START_MS)]);
  const [before, bareBefore] = [cpuMsOf(everything), cpuMsOf([bare.pid ?? 0])];
  await pause(idleSeconds * 1_000);
  const idleMs = (cpuMsOf(everything) - before) / idleSeconds;
  const bareMs = (cpuMsOf([bare.pid ?? 0]) - bareBefore) / idleSeconds;
  await end(bare);
  let peakMb = 0;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, pssMb(treeOf(everything)))), SAMPLE_MS);
  const began = performance.now();
  const count = 60;
  try {
    await takeIn(bench, product, count);
  } finally {
    clearInterval(timer);
  }
  return {
    figures: {
      'peak MB': { value: peakMb, must: 600, aim: 400 },
      'idle, CPU ms a second': { value: idleMs, must: 10, aim: 3 },
    },
    details: {
      'ms of a bare timer with ten wakes a second': bareMs,
      photos: count,
      'photos a second': (count * 1_000) / (performance.now() - began),
    },
  };
}

/** Photos of 12 megapixels, uploaded two at a time, until all are ready. */
async function takeIn(bench: Bench, product: Product, count: number): Promise<void> {
  const [file = ''] = await cameraPhotos(bench);
  const jpeg = await readFile(file);
  const { organizationId, galleryId } = await bench.gallery(0);
  const owner = await makeOwner(product, organizationId);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const number = next++;
      const photo = stampPhoto(jpeg, new Date(Date.UTC(2026, 8, 12, 14, number)), number);
      await owner.claim(galleryId, await owner.store(galleryId, photo, `${number}.jpg`));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  await withClient(product.ownerUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ ready: string; failed: string }>(
        `select count(*) filter (where status = 'ready') as ready, count(*) filter (where status = 'failed') as failed from photos where gallery_id = $1`,
        [galleryId],
      );
      if (Number(rows[0]?.failed) > 0) throw new Error('a photo failed');
      if (Number(rows[0]?.ready) >= count) return;
      await pause(200);
    }
  });
}

export const restRow: BenchRow = {
  name: 'P17',
  what: 'memory at rest with two web processes',
  measure: measureRest,
};

export const peakRow: BenchRow = {
  name: 'P26',
  what: 'peak memory while photos of 12 megapixels arrive, two at a time; CPU when nothing happens',
  notQuick: '60 photos',
  measure: measurePeak,
};

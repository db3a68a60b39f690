/** P1: CPU of ingesting a photo, from the stored bytes to the ready row, against one sharp resize of the same file. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureIngest } from '#tests/load/ingest.ts';
import { drawCameraPhotos, sharedPhotos } from '#tests/load/camera-photos.ts';
import { makeOwner, type Owner } from '#tests/load/made-owner.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';
import { startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { openYardstick } from '#tests/load/yardsticks/open-sharp-resize.ts';

const REPETITIONS = 5;
const LOOK_EVERY_MS = 50;

/** CPU of the whole product from the claim to "ready", less what it uses when idle in that time. */
async function ingestCpuMs(product: Product, owner: Owner, galleryId: number, file: string): Promise<number> {
  const key = await owner.store(galleryId, await readFile(file), basename(file));
  const pids = [product.pid, product.postgresPid];
  const before = cpuMsOf(pids);
  const photoId = await owner.claim(galleryId, key);
  while (!(await owner.isReady(galleryId, photoId))) await pause(LOOK_EVERY_MS);
  return cpuMsOf(pids) - before;
}

async function measure(): Promise<BenchResult> {
  const drawn = await drawCameraPhotos();
  const product = await startProduct();
  const yardstick = openYardstick();
  try {
    const { organizationId, galleryId } = await makeGallery(product.ownerUrl, 0);
    const owner = await makeOwner(product, organizationId);
    const files = [...drawn.files, ...(await sharedPhotos('phones'))];
    const sums = { ingest: 0, plain: 0 };
    const details: Record<string, number> = {};
    for (const file of files) {
      const ingest: number[] = [];
      const plain: number[] = [];
      for (let round = 0; round <= REPETITIONS; round++) {
        const spent = {
          ingest: await ingestCpuMs(product, owner, galleryId, file),
          plain: await yardstick.cpuMs(file),
        };
        if (round === 0) continue;
        ingest.push(spent.ingest);
        plain.push(spent.plain);
      }
      sums.ingest += median(ingest);
      sums.plain += median(plain);
      details[`${basename(file)} ratio`] = median(ingest) / median(plain);
    }
    const pictureOnly = await measureIngest(REPETITIONS);
    return {
      ratios: { ingest: sums.ingest / sums.plain },
      details: { ...details, 'picture process only': pictureOnly.ratio },
    };
  } finally {
    yardstick.close();
    await product.stop();
    await drawn.remove();
  }
}

export const ingestRow: BenchRow = {
  name: 'P1',
  what: 'CPU of ingest, stored bytes to ready / one sharp 1440 px raw resize',
  must: 1.9,
  aim: 1.5,
  measure,
};

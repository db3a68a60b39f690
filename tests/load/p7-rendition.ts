/** P7: CPU of one rendition with its permission check, against a buffer from memory (a web server's static file costs 0.85 of that). */
import { writeFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { load } from '#tests/load/http-load.ts';
import { compareCpu } from '#tests/load/interleaved.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import { startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { startYardstick } from '#tests/load/yardsticks/start-yardstick.ts';

const REQUESTS = 2_000;
/** From the measurement that speed goals were set by: nginx with a static file / a buffer from memory. */
const STATIC_SERVER = 0.85;

/** Grain over a slope: its rendition of 480 px weighs about as much as a photograph's. */
async function drawPhoto(): Promise<Buffer> {
  const grain = await sharp({
    create: {
      width: 1600,
      height: 1067,
      channels: 3,
      background: '#6b7',
      noise: { type: 'gaussian', mean: 128, sigma: 18 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();
  return grain;
}

async function measure(): Promise<BenchResult> {
  const product = await startProduct();
  const folder = await mkdtemp(join(tmpdir(), 'sideline-rendition-'));
  try {
    const { organizationId, galleryId } = await makeGallery(product.ownerUrl, 0);
    const owner = await makeOwner(product, organizationId);
    const photoId = await owner.claim(galleryId, await owner.store(galleryId, await drawPhoto(), 'bench.jpg'));
    while (!(await owner.isReady(galleryId, photoId))) await pause(50);
    const address = `${product.url}/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?size=480`;
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
    const file = join(folder, 'rendition.jpg');
    await writeFile(file, bytes);
    const yardstick = await startYardstick('bare-buffer', file);
    try {
      const measured = await compareCpu(
        { pids: [product.pid, product.postgresPid], run: () => load(address, REQUESTS) },
        { pids: [yardstick.pid], run: () => load(yardstick.url, REQUESTS) },
        { count: REQUESTS },
      );
      return {
        ratios: { rendition: measured.ratio / STATIC_SERVER },
        details: {
          'rendition cpu ms': measured.productMs,
          'buffer cpu ms': measured.yardstickMs,
          'rendition kB': bytes.length / 1000,
        },
      };
    } finally {
      yardstick.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await product.stop();
  }
}

export const renditionRow: BenchRow = {
  name: 'P7',
  what: 'CPU of a rendition, rights checked / a static file of its size',
  must: 4,
  aim: 1.5,
  measure,
};

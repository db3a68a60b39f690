/** P4: CPU of the gallery's photos as JSON, against a bare server with the same query. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { load } from '#tests/load/http-load.ts';
import { compareCpu } from '#tests/load/interleaved.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const REQUESTS = 1_500;
const YARDSTICK = join(import.meta.dirname, 'yardsticks/bare-gallery-json.ts');

async function measure(): Promise<BenchResult> {
  const product = await startProduct();
  const yardstick = spawn(process.execPath, [YARDSTICK, product.appUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(createInterface({ input: yardstick.stdout }), 'line')) as [string];
    const { galleryId } = await makeGallery(product.ownerUrl, 500);
    const result: BenchResult = { ratios: {}, details: {} };
    for (const limit of [10, 100]) {
      const measured = await compareCpu(
        {
          pids: [product.pid, product.postgresPid],
          run: () => load(`${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=${limit}`, REQUESTS),
        },
        {
          pids: [yardstick.pid ?? 0, product.postgresPid],
          run: () => load(`http://127.0.0.1:${port}/galleries/${galleryId}/photos?limit=${limit}`, REQUESTS),
        },
        { count: REQUESTS },
      );
      result.ratios[`${limit} photos`] = measured.ratio;
      result.details[`${limit} photos cpu ms`] = measured.productMs;
      result.details[`${limit} bare cpu ms`] = measured.yardstickMs;
    }
    return result;
  } finally {
    yardstick.stdin.end();
    await product.stop();
  }
}

export const galleryJsonRow: BenchRow = {
  name: 'P4',
  what: 'CPU of gallery photos JSON / bare server, same query',
  must: 1.7,
  aim: 1.3,
  measure,
};

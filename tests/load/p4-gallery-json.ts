/** P4: CPU of the gallery's photos as JSON, against a bare server that asks the same query. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { compareCpu } from '#tests/load/interleaved.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const REQUESTS = 1_500;
const CONNECTIONS = 4;
const YARDSTICK = join(import.meta.dirname, 'yardsticks/bare-gallery-json.ts');

async function load(url: string): Promise<void> {
  const result = await autocannon({ url, connections: CONNECTIONS, amount: REQUESTS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
}

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
          run: () => load(`${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=${limit}`),
        },
        {
          pids: [yardstick.pid ?? 0, product.postgresPid],
          run: () => load(`http://127.0.0.1:${port}/galleries/${galleryId}/photos?limit=${limit}`),
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

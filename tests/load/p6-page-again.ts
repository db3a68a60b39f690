/** P6: CPU of the public gallery page for identical visitors, repeatedly, against a buffer of its HTML from memory. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '#tests/load/http-load.ts';
import { compareCpu } from '#tests/load/interleaved.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { startYardstick } from '#tests/load/yardsticks/start-yardstick.ts';

/** A buffer is so cheap that fewer of them would not show in ticks of 10 ms. */
const REQUESTS = 800;

async function measure(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sideline-page-'));
  const product = await startProduct();
  try {
    const { galleryId, domainName } = await makeGallery(product.ownerUrl, 500);
    const address = `${product.url}/${domainName}/gallery/${galleryId}`;
    const file = join(folder, 'page.html');
    await writeFile(file, Buffer.from(await (await fetch(address)).arrayBuffer()));
    const yardstick = await startYardstick('bare-buffer', file);
    try {
      const measured = await compareCpu(
        { pids: [product.pid, product.postgresPid], run: () => load(address, REQUESTS) },
        { pids: [yardstick.pid], run: () => load(yardstick.url, REQUESTS) },
        { count: REQUESTS },
      );
      return {
        ratios: { 'page again': measured.ratio },
        details: { 'page cpu ms': measured.productMs, 'buffer cpu ms': measured.yardstickMs },
      };
    } finally {
      yardstick.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await product.stop();
  }
}

export const pageAgainRow: BenchRow = {
  name: 'P6',
  what: 'CPU of the public gallery page, seen before / a buffer of its html',
  must: 3,
  aim: 1.5,
  measure,
};

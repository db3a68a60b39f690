/** P5: CPU of the public gallery page, rendered, against React's own rendering of the same tiles. */
import { load } from '#tests/load/http-load.ts';
import { compareCpu } from '#tests/load/interleaved.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { startYardstick } from '#tests/load/yardsticks/start-yardstick.ts';

const REQUESTS = 600;

async function measure(): Promise<BenchResult> {
  const product = await startProduct();
  const yardstick = await startYardstick('bare-gallery-page', product.appUrl);
  try {
    const { galleryId, domainName } = await makeGallery(product.ownerUrl, 500);
    const measured = await compareCpu(
      {
        pids: [product.pid, product.postgresPid],
        run: () => load(`${product.url}/${domainName}/gallery/${galleryId}`, REQUESTS),
      },
      {
        pids: [yardstick.pid, product.postgresPid],
        run: () => load(`${yardstick.url}/gallery/${galleryId}`, REQUESTS),
      },
      { count: REQUESTS },
    );
    return {
      ratios: { page: measured.ratio },
      details: { 'page cpu ms': measured.productMs, 'tiles cpu ms': measured.yardstickMs },
    };
  } finally {
    yardstick.stop();
    await product.stop();
  }
}

export const galleryPageRow: BenchRow = {
  name: 'P5',
  what: 'CPU of the public gallery page / renderToString of its tiles',
  must: 4,
  aim: 2,
  measure,
};

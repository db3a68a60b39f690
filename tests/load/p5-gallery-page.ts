/** P5: CPU of the public gallery page, rendered for each request, against React's own rendering of the same tiles. */
import { load } from '#tests/load/http-load.ts';
import { compareCpu } from '#tests/load/interleaved.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { startYardstick } from '#tests/load/yardsticks/start-yardstick.ts';

async function measure(bench: Bench): Promise<BenchResult> {
  const count = bench.pick(300, 150);
  const product = await bench.product(UNCACHED);
  const { galleryId, domainName } = await bench.gallery(500);
  const yardstick = await startYardstick('bare-gallery-page', product.bareUrl);
  try {
    const measured = await compareCpu(
      {
        pids: [product.pid, product.postgresPid],
        run: () => load(`${product.url}/${domainName}/gallery/${galleryId}`, count),
      },
      {
        pids: [yardstick.pid, product.postgresPid],
        run: () => load(`${yardstick.url}/gallery/${galleryId}`, count),
      },
      { rounds: bench.rounds, count },
    );
    return {
      figures: { page: { value: measured.ratio, must: 4, aim: 2 } },
      details: { 'page cpu ms': measured.productMs, 'tiles cpu ms': measured.yardstickMs },
    };
  } finally {
    yardstick.stop();
  }
}

export const galleryPageRow: BenchRow = {
  name: 'P5',
  what: 'CPU of the public gallery page, rendered and compressed / renderToString of its tiles, compressed',
  measure,
};

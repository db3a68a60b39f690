/** P6: CPU of the public gallery page for visitors who come after another, against a buffer of its compressed HTML. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchRaw, load, PHONES } from '#tests/load/http-load.ts';
import { compareCpu, WARMING, WARMING_OF_SMALL } from '#tests/load/interleaved.ts';
import type { Bench } from '#tests/load/open-bench.ts';
import { WITH_DEMO } from '#tests/load/slow-phone.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { startYardstick } from '#tests/load/yardsticks/start-yardstick.ts';

async function measure(bench: Bench): Promise<BenchResult> {
  const [count, bareCount] = bench.pick([1_500, 4_000], [600, 2_000]);
  const product = await bench.product(WITH_DEMO);
  const { galleryId, domainName } = await bench.gallery(500);
  const address = `${product.url}/${domainName}/gallery/${galleryId}`;
  const { bytes, type, encoding } = await fetchRaw(address);
  const file = join(await mkdtemp(join(tmpdir(), 'sideline-page-')), 'page.html');
  await writeFile(file, bytes);
  const yardstick = await startYardstick('bare-buffer', file, type, encoding);
  try {
    const measured = await compareCpu(
      { pids: [product.pid, product.postgresPid], run: () => load(address, count, {}, PHONES) },
      { pids: [yardstick.pid], run: () => load(yardstick.url, bareCount, {}, PHONES) },
      {
        rounds: bench.rounds,
        count,
        bareCount,
        warming: bench.pick(WARMING_OF_SMALL, WARMING),
        bareWarming: WARMING,
      },
    );
    return {
      figures: { 'page again': { value: measured.ratio, must: 3, aim: 1.5 } },
      details: {
        'page cpu ms': measured.productMs,
        'buffer cpu ms': measured.yardstickMs,
        'compressed kB': bytes.length / 1000,
      },
    };
  } finally {
    yardstick.stop();
  }
}

export const pageAgainRow: BenchRow = {
  name: 'P6',
  what: 'CPU of the public gallery page, seen before / a buffer of its compressed html',
  measure,
};

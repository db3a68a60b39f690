/**
 * P4: CPU of the gallery's photos as JSON, against a bare server with one statement for the same facts: rendered for
 * each request, and requested again while nothing has changed.
 */
import { load, PHONES } from '#tests/load/http-load.ts';
import { compareCpu, WARMING, WARMING_OF_SMALL } from '#tests/load/interleaved.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { WITH_DEMO } from '#tests/load/slow-phone.ts';
import { startYardstick } from '#tests/load/yardsticks/start-yardstick.ts';

const LIMITS = { must: 1.7, aim: 1.3 };

async function measure(bench: Bench): Promise<BenchResult> {
  // In this order, because the rows before and after use the same products.
  const anew = await measureOne(bench, { name: 'anew', env: UNCACHED });
  const again = await measureOne(bench, { name: 'again', env: WITH_DEMO, connections: PHONES });
  return {
    figures: { ...anew.figures, ...again.figures },
    details: { ...anew.details, ...again.details },
  };
}

type Kind = { name: string; env: Record<string, string>; connections?: number };

async function measureOne(bench: Bench, { name, env, connections }: Kind): Promise<BenchResult> {
  const product = await bench.product(env);
  const { galleryId } = await bench.gallery(500);
  const yardstick = await startYardstick('bare-gallery-json', product.bareUrl);
  try {
    const result: BenchResult = { figures: {}, details: {} };
    for (const [limit, quick] of [
      [10, 300],
      [100, 150],
    ] as const) {
      const count = bench.pick(1_000, quick);
      const ask = (address: string) => () => load(`${address}?limit=${limit}`, count, {}, connections);
      const measured = await compareCpu(
        {
          pids: [product.pid, product.postgresPid],
          run: ask(`${product.url}/api/v1/galleries/${galleryId}/gallery_photos`),
        },
        { pids: [yardstick.pid, product.postgresPid], run: ask(`${yardstick.url}/galleries/${galleryId}/photos`) },
        { rounds: bench.rounds, count, warming: limit === 10 ? bench.pick(WARMING_OF_SMALL, WARMING) : WARMING },
      );
      result.figures[`${limit} photos ${name}`] = { value: measured.ratio, ...LIMITS };
      result.details[`${limit} ${name} cpu ms`] = measured.productMs;
      result.details[`${limit} bare beside ${name} cpu ms`] = measured.yardstickMs;
    }
    return result;
  } finally {
    yardstick.stop();
  }
}

export const galleryJsonRow: BenchRow = {
  name: 'P4',
  what: 'CPU of gallery photos JSON, made anew and requested again / bare server, the same facts',
  measure,
};

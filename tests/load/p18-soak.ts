/**
 * P18: growth of the product, minute by minute, under steady visits at a third of the top rate. `SOAK_MINUTES` makes it
 * longer than two and a half, and draws it into docs/pictures/soak.svg; `SOAK_RATE` sets the requests a second, for a
 * machine that has other work.
 */
import autocannon from 'autocannon';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { ownMb, pssMb } from '#tests/load/process-memory.ts';
import type { Bench } from '#tests/load/open-bench.ts';
import { processesOf, startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { drawPlot } from '#tests/load/svg-plot.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 2.5);
const RATE = process.env['SOAK_RATE'];
const PLOT = join(import.meta.dirname, '../../docs/pictures/soak.svg');
const CONNECTIONS = 4;
const TOP_RATE_SECONDS = 10;
const LOOK_EVERY_MS = 5_000;
/** The first part warms up: code is compiled, caches and pools fill. */
const WARMING_SHARE = 0.3;

type Look = { minute: number; megabytes: number; own: number; files: number };

/** Open files of all processes of the product, except the database: PostgreSQL has its own. */
function openFiles(pids: readonly number[]): number {
  let files = 0;
  for (const pid of pids) {
    try {
      files += readdirSync(`/proc/${pid}/fd`).length;
    } catch {
      // It has ended meanwhile.
    }
  }
  return files;
}

/** The slope of the best-fitting line: growth of `value` in a minute. */
function slope(looks: readonly Look[], value: (look: Look) => number): number {
  const mean = (of: (look: Look) => number) => looks.reduce((sum, look) => sum + of(look), 0) / looks.length;
  const [middle, level] = [mean((look) => look.minute), mean(value)];
  const over = looks.reduce((sum, look) => sum + (look.minute - middle) * (value(look) - level), 0);
  return over / looks.reduce((sum, look) => sum + (look.minute - middle) ** 2, 0);
}

function draw(looks: readonly Look[], rate: number): void {
  const lines = [
    { name: 'memory, MB', points: looks.map(({ minute, megabytes }) => [minute, megabytes] as const) },
    { name: 'of its own, MB', points: looks.map(({ minute, own }) => [minute, own] as const) },
    { name: 'open files', points: looks.map(({ minute, files }) => [minute, files] as const) },
  ];
  const title = `${rate.toFixed(0)} requests a second for ${MINUTES} minutes`;
  writeFileSync(PLOT, drawPlot({ title, sizes: 'minutes', values: '', lines, isLinear: true }));
}

async function visits(product: Product, paths: readonly string[], options: { duration: number; overallRate?: number }) {
  const result = await autocannon({
    url: product.url,
    connections: CONNECTIONS,
    ...options,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

async function measure(bench: Bench): Promise<BenchResult> {
  await bench.reset();
  const product = await startProduct();
  try {
    const { galleryId, domainName, photoIds } = await makeGallery(product.ownerUrl, 500);
    const photos = `/api/v1/galleries/${galleryId}/gallery_photos`;
    const paths = [
      `/${domainName}/gallery/${galleryId}`,
      `${photos}?limit=100`,
      `/${domainName}`,
      `${photos}?limit=10&keyword=number%207`,
      `/${domainName}/gallery/${galleryId}/photo/${photoIds[0]}`,
    ];
    const topRate = await visits(product, paths, { duration: TOP_RATE_SECONDS });
    const overallRate = RATE === undefined ? Math.ceil(topRate / 3) : Number(RATE);
    const looks: Look[] = [];
    const began = performance.now();
    const looking = setInterval(() => {
      const pids = processesOf(product);
      const minute = (performance.now() - began) / 60_000;
      looks.push({ minute, megabytes: pssMb(pids), own: ownMb(pids), files: openFiles(pids) });
    }, LOOK_EVERY_MS);
    let rate = Number.NaN;
    try {
      rate = await visits(product, paths, { duration: Math.round(MINUTES * 60), overallRate });
    } finally {
      clearInterval(looking);
      if (process.env['SOAK_MINUTES'] !== undefined) draw(looks, overallRate);
    }
    const warm = looks.filter(({ minute }) => minute >= MINUTES * WARMING_SHARE);
    const [first, last] = [warm[0], warm.at(-1)];
    return {
      figures: {
        'MB a minute': { value: slope(warm, (look) => look.megabytes), must: 1, aim: 0 },
        'MB of its own a minute': { value: slope(warm, (look) => look.own), must: 1, aim: 0 },
        'files a minute': { value: slope(warm, (look) => look.files), must: 1, aim: 0 },
      },
      details: {
        minutes: MINUTES,
        'requests a second': rate,
        'MB after warming': first?.megabytes ?? Number.NaN,
        'MB at the end': last?.megabytes ?? Number.NaN,
        'files at the end': last?.files ?? Number.NaN,
      },
    };
  } finally {
    await product.stop();
  }
}

export const soakRow: BenchRow = {
  name: 'P18',
  what: 'what memory and open files grow by under steady visits, in a minute',
  notQuick: 'it takes minutes',
  measure,
};

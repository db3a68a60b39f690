/**
 * P18: growth of the product, minute by minute, under steady visits at a third of the top rate. In two minutes it
 * is that of the memory kept after collections of garbage; `SOAK_MINUTES` makes it longer, leaves V8 alone,
 * counts the memory that processes occupy, and draws it into docs/pictures/soak.svg. `SOAK_RATE` sets the requests a
 * second, for a machine that has other work.
 */
import autocannon from 'autocannon';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAccountable } from '#tests/load/kept-memory.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { ownMb, pssMb } from '#tests/load/process-memory.ts';
import type { Bench } from '#tests/load/open-bench.ts';
import { processesOf, startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { drawPlot } from '#tests/load/svg-plot.ts';

const LONG_MINUTES = process.env['SOAK_MINUTES'];
const MINUTES = Number(LONG_MINUTES ?? 2);
const RATE = process.env['SOAK_RATE'];
const PLOT = join(import.meta.dirname, '../../docs/pictures/soak.svg');
const CONNECTIONS = 4;
const TOP_RATE_SECONDS = 6;
const LOOK_EVERY_MS = 10_000;
/** The first part warms up: code is compiled, caches and pools fill. */
const WARMING_SHARE = 0.3;

/** `kept` only in short runs. */
type Look = { minute: number; megabytes: number; own: number; files: number; kept: number };

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

/** Looks until `over`. Memory that is occupied is read before garbage is collected. */
async function watch(product: Product, keptMb: () => Promise<number>, over: Promise<unknown>): Promise<Look[]> {
  const looks: Look[] = [];
  const began = performance.now();
  for (;;) {
    if (await Promise.race([over.then(() => true), pause(LOOK_EVERY_MS, false)])) return looks;
    const pids = processesOf(product);
    const minute = (performance.now() - began) / 60_000;
    const occupied = { megabytes: pssMb(pids), own: ownMb(pids), files: openFiles(pids) };
    looks.push({ minute, ...occupied, kept: await keptMb() });
  }
}

/** A product, and how to ask what it keeps: in a long run this is not asked, because V8 must do as it does in production. */
async function startWatched() {
  return LONG_MINUTES === undefined
    ? startAccountable()
    : { product: await startProduct(), keptMb: async () => Number.NaN };
}

async function measure(bench: Bench): Promise<BenchResult> {
  await bench.reset();
  const { product, keptMb } = await startWatched();
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
    const soaking = visits(product, paths, { duration: Math.round(MINUTES * 60), overallRate });
    const [rate, looks] = await Promise.all([soaking, watch(product, keptMb, soaking)]);
    if (LONG_MINUTES !== undefined) draw(looks, overallRate);
    return resultOf(looks, rate);
  } finally {
    await product.stop();
  }
}

function resultOf(looks: readonly Look[], rate: number): BenchResult {
  const warm = looks.filter(({ minute }) => minute >= MINUTES * WARMING_SHARE);
  const [first, last] = [warm[0], warm.at(-1)];
  const occupied = {
    'MB a minute': slope(warm, (look) => look.megabytes),
    'MB of its own a minute': slope(warm, (look) => look.own),
  };
  const limits = { must: 1, aim: 0 };
  const files = { 'files a minute': { value: slope(warm, (look) => look.files), ...limits } };
  const common = {
    minutes: MINUTES,
    'requests a second': rate,
    'MB after warming': first?.megabytes ?? Number.NaN,
    'MB at the end': last?.megabytes ?? Number.NaN,
    'files at the end': last?.files ?? Number.NaN,
  };
  if (LONG_MINUTES !== undefined) {
    const figures = Object.entries(occupied).map(([name, value]) => [name, { value, ...limits }] as const);
    return { figures: { ...Object.fromEntries(figures), ...files }, details: common };
  }
  return {
    figures: { 'MB kept a minute': { value: slope(warm, (look) => look.kept), ...limits }, ...files },
    details: {
      ...occupied,
      ...common,
      'MB kept after warming': first?.kept ?? Number.NaN,
      'MB kept at the end': last?.kept ?? Number.NaN,
    },
  };
}

export const soakRow: BenchRow = {
  name: 'P18',
  what: 'what memory, without garbage, and open files grow by under steady visits, in a minute',
  notQuick: 'it takes minutes',
  measure,
};

/** P9: what a gallery of 50,000 photos costs to read, against one of 500. */
import { compareCpu } from '#tests/load/interleaved.ts';
import { load } from '#tests/load/http-load.ts';
import type { MadeGallery } from '#tests/load/made-gallery.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const LARGE = 50_000;
const SMALL = 500;
/** Searches of the large gallery take tens of milliseconds each, so fewer of them are enough. */
const SEARCHES = 30;
const LIMITS = { must: 1.2, aim: 1.05 };

/** The key that leads to the last ten photos, found by paging as a reader does. */
async function lastPageKey(product: Product, { galleryId }: MadeGallery): Promise<string> {
  let key = '';
  for (;;) {
    const url = `${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=100${key === '' ? '' : `&after=${encodeURIComponent(key)}`}`;
    const { next } = (await (await fetch(url)).json()) as { next: string | null };
    if (next === null) return key;
    key = next;
  }
}

async function measure(bench: Bench): Promise<BenchResult> {
  const product = await bench.product(UNCACHED);
  const [large, small] = [await bench.gallery(LARGE), await bench.gallery(SMALL)];
  const pids = [product.pid, product.postgresPid];
  const addressOf = ({ galleryId }: MadeGallery, query: string) =>
    `${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=10${query}`;
  const [largeKey, smallKey] = [await lastPageKey(product, large), await lastPageKey(product, small)];
  const pages: [string, string, string][] = [
    ['first page', addressOf(large, ''), addressOf(small, '')],
    [
      'last page',
      addressOf(large, `&after=${encodeURIComponent(largeKey)}`),
      addressOf(small, `&after=${encodeURIComponent(smallKey)}`),
    ],
    ['keyword search', addressOf(large, '&keyword=number%207'), addressOf(small, '&keyword=number%207')],
    ['keyword of nobody', addressOf(large, '&keyword=zebra'), addressOf(small, '&keyword=zebra')],
    [
      'whole page',
      `${product.url}/${large.domainName}/gallery/${large.galleryId}`,
      `${product.url}/${small.domainName}/gallery/${small.galleryId}`,
    ],
  ];
  const result: BenchResult = { figures: {}, details: {} };
  for (const [name, largeUrl, smallUrl] of pages) {
    const count = name.startsWith('keyword') ? bench.pick(SEARCHES, 15) : bench.pick(200, 40);
    const measured = await compareCpu(
      { pids, run: () => load(largeUrl, count) },
      { pids, run: () => load(smallUrl, count) },
      { rounds: bench.rounds, count },
    );
    result.figures[name] = { value: measured.ratio, ...LIMITS };
    result.details[`${name}, 50,000: cpu ms`] = measured.productMs;
    result.details[`${name}, 500: cpu ms`] = measured.yardstickMs;
  }
  return result;
}

export const largeGalleryRow: BenchRow = {
  name: 'P9',
  what: 'CPU of a page of a gallery of 50,000 photos / of 500',
  notQuick: '50,000 photos',
  measure,
};

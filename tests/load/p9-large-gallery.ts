/** P9: what a gallery of 50,000 photos costs to read, against one of 500. */
import { compareCpu } from '#tests/load/interleaved.ts';
import { load } from '#tests/load/http-load.ts';
import { makeGallery, type MadeGallery } from '#tests/load/made-gallery.ts';
import { startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const LARGE = 50_000;
const SMALL = 500;
const READS = 200;
/** Searches of the large gallery take tens of milliseconds each, so fewer of them are enough. */
const SEARCHES = 30;

type Pair = { large: MadeGallery; small: MadeGallery };

async function withPair<T>(work: (product: Product, pair: Pair) => Promise<T>): Promise<T> {
  const product = await startProduct();
  try {
    const large = await makeGallery(product.ownerUrl, LARGE);
    const small = await makeGallery(product.ownerUrl, SMALL);
    return await work(product, { large, small });
  } finally {
    await product.stop();
  }
}

/** The key that leads to the last ten photos, found as a reader finds it. */
async function lastPageKey(product: Product, { galleryId }: MadeGallery): Promise<string> {
  let key = '';
  for (;;) {
    const url = `${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=100${key === '' ? '' : `&after=${encodeURIComponent(key)}`}`;
    const { next } = (await (await fetch(url)).json()) as { next: string | null };
    if (next === null) return key;
    key = next;
  }
}

async function measure(): Promise<BenchResult> {
  return withPair(async (product, { large, small }) => {
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
    const result: BenchResult = { ratios: {}, details: {} };
    for (const [name, largeUrl, smallUrl] of pages) {
      const count = name.startsWith('keyword') ? SEARCHES : READS;
      const measured = await compareCpu(
        { pids, run: () => load(largeUrl, count) },
        { pids, run: () => load(smallUrl, count) },
        { count },
      );
      result.ratios[name] = measured.ratio;
      result.details[`${name}, 50,000: cpu ms`] = measured.productMs;
      result.details[`${name}, 500: cpu ms`] = measured.yardstickMs;
    }
    return result;
  });
}

export const largeGalleryRow: BenchRow = {
  name: 'P9',
  what: 'CPU of a page of a gallery of 50,000 photos / of 500',
  must: 1.2,
  aim: 1.05,
  measure,
};

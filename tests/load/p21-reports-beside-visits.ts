/** P21: how long visitors wait while twenty users repeatedly request reports of everything (threat 72). */
import autocannon from 'autocannon';
import { load } from '#tests/load/http-load.ts';
import { makePlatformAdmin } from '#tests/load/made-owner.ts';
import { makeSales } from '#tests/load/made-sales.ts';
import type { Bench } from '#tests/load/open-bench.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const ORDERS = 40_000;
const READERS = 20;
/** As many visitors as a small machine has at a time; they arrive at a steady rate, so that waiting shows. */
const VISITS = { connections: 4, overallRate: 20, duration: 12 };
/** Of each page, until its code is compiled. */
const WARM_VISITS = 500;
/** A refused client retries sooner than it was told to. */
const AGAIN_MS = 1_000;
const ALL_TIME = { date_range: 'all', show_reconciled: true };
const EVERYTHING: readonly { path: string; body: object }[] = [
  { path: '/api/v1/orders/admin-report', body: ALL_TIME },
  { path: '/api/v1/orders/admin-report-csv.csv', body: ALL_TIME },
  { path: '/api/v1/orders/admin-report?limit=20', body: ALL_TIME },
  { path: '/api/v1/affiliates/1/reports', body: { responseType: 'csv', for_org: true } },
];

type Told = { made: number; refused: number };

/** 97.5 of 100 visits take at most this many milliseconds. */
async function visit(urls: readonly string[]): Promise<number> {
  const [url = '', ...more] = urls;
  const requests = [url, ...more].map((one) => ({ path: new URL(one).pathname + new URL(one).search }));
  const result = await autocannon({ url, requests, ...VISITS });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result.latency.p97_5;
}

/** Sends requests until it is ended; a refusal must say when to retry. */
async function readOnAndOn(
  { url, body, authorization }: { url: string; body: object; authorization: string },
  ending: AbortSignal,
  told: Told,
): Promise<void> {
  while (!ending.aborted) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: ending,
    });
    for await (const _chunk of response.body ?? []);
    if (response.ok) told.made += 1;
    else if ([429, 503].includes(response.status) && response.headers.has('retry-after')) {
      told.refused += 1;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } else throw new Error(`${url} answered ${response.status}`);
  }
}

async function measure(bench: Bench): Promise<BenchResult> {
  await bench.reset();
  const product = await bench.product();
  const { galleryId, domainName } = await bench.gallery(100);
  await makeSales(product.ownerUrl, ORDERS);
  const { authorization } = await bench.made('an administrator', makePlatformAdmin);
  const pages = [
    `${product.url}/${domainName}/gallery/${galleryId}`,
    `${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=10`,
  ];
  for (const page of pages) await load(page, WARM_VISITS);
  const calm = await visit(pages);
  const ending = new AbortController();
  const told: Told = { made: 0, refused: 0 };
  const failures: unknown[] = [];
  const readers = Array.from({ length: READERS }, async (_unused, index) => {
    const { path, body } = EVERYTHING[index % EVERYTHING.length] ?? { path: '', body: {} };
    await readOnAndOn({ url: product.url + path, body, authorization }, ending.signal, told).catch((error: unknown) => {
      if (!ending.signal.aborted) failures.push(error);
    });
  });
  const busy = await visit(pages);
  ending.abort();
  await Promise.all(readers);
  if (failures.length > 0) throw failures[0];
  return {
    figures: { 'visits, p97.5 ms': { value: busy, must: 300, aim: 100 } },
    details: {
      'p97.5 ms, calm': calm,
      'reports made': told.made,
      'reports refused': told.refused,
    },
  };
}

export const reportsBesideVisitsRow: BenchRow = {
  name: 'P21',
  what: 'visits while twenty ask for reports of 40,000 orders at once, p97.5',
  notQuick: '40,000 orders',
  measure,
};

/**
 * P10: what an affiliate's home and dashboard cost with 100,000 galleries against 10, and what a small tenant pays for
 * such a large one.
 */
import { cpuInTurns } from '#tests/load/interleaved.ts';
import { load } from '#tests/load/http-load.ts';
import { makeGalleries, type MadeGalleries } from '#tests/load/made-galleries.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import { startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const LARGE = 100_000;
const SMALL = 10;
const READS = 30;
const LIMITS = { must: 1.5, aim: 1.1 };

type Tenant = MadeGalleries & { product: Product; headers: Record<string, string> };

async function settle(product: Product, galleries: number): Promise<Tenant> {
  const made = await makeGalleries(product.ownerUrl, galleries);
  const { authorization } = await makeOwner(product, made.organizationId);
  return { ...made, product, headers: { authorization } };
}

type Page = { name: string; path: (tenant: Tenant) => string; forMembers: boolean };

const PAGES: readonly Page[] = [
  { name: 'home', path: ({ domainName }) => `/${domainName}`, forMembers: false },
  { name: 'dashboard', path: ({ domainName }) => `/${domainName}/dashboard`, forMembers: true },
  {
    name: 'members’ call',
    path: ({ organizationId }) => `/api/v1/affiliates/${organizationId}/galleries?page=1&perPage=10`,
    forMembers: true,
  },
];

const visitorOf = (tenant: Tenant, { path, forMembers }: Page) => ({
  pids: [tenant.product.pid, tenant.product.postgresPid],
  count: READS,
  run: () => load(tenant.product.url + path(tenant), READS, forMembers ? tenant.headers : {}),
});

async function measure(bench: Bench): Promise<BenchResult> {
  await bench.reset();
  const [quiet, busy] = await Promise.all([startProduct(UNCACHED), startProduct(UNCACHED)]);
  try {
    const alone = await settle(quiet, SMALL);
    const [small, large] = [await settle(busy, SMALL), await settle(busy, LARGE)];
    const result: BenchResult = { figures: {}, details: {} };
    for (const page of PAGES) {
      const visitors = [large, small, alone].map((tenant) => visitorOf(tenant, page));
      const [ofLarge = Number.NaN, ofSmall = Number.NaN, ofAlone = Number.NaN] = await cpuInTurns(visitors, bench);
      result.figures[`${page.name}: 100,000/10`] = { value: ofLarge / ofSmall, ...LIMITS };
      result.figures[`${page.name}: beside/alone`] = { value: ofSmall / ofAlone, ...LIMITS };
      result.details[`${page.name}, 100,000: cpu ms`] = ofLarge;
      result.details[`${page.name}, 10: cpu ms`] = ofSmall;
    }
    return result;
  } finally {
    await quiet.stop();
    await busy.stop();
  }
}

export const manyGalleriesRow: BenchRow = {
  name: 'P10',
  what: 'CPU of an affiliate’s home and dashboard: 100,000 galleries / 10, and a small tenant beside the large one / alone',
  notQuick: '100,000 galleries',
  measure,
};

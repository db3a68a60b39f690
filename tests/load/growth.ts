/**
 * `npm run bench -- --growth`: what requests cost as photos, galleries, tenants and orders grow; plotted into
 * docs/pictures/growth-*.svg.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '#src/platform/db/client.ts';
import { load } from '#tests/load/http-load.ts';
import { makeGalleries } from '#tests/load/made-galleries.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner, makePlatformAdmin } from '#tests/load/made-owner.ts';
import { makeSales } from '#tests/load/made-sales.ts';
import { UNCACHED } from '#tests/load/open-bench.ts';
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';
import { startProduct, type Product } from '#tests/load/product.ts';
import { askReport, growthOf } from '#tests/load/p19-admin-report.ts';
import { drawPlot } from '#tests/load/svg-plot.ts';

const PICTURES = join(import.meta.dirname, '../../docs/pictures');
const ROUNDS = 3;
const READS = 40;

type Work = () => Promise<unknown>;
/** The work at one size, by the name of its line, and how often it runs in a round. */
type Works = Record<string, { work: Work; times?: number; rounds?: number }>;

type Tell = (line: string) => void;

type Growth = {
  name: string;
  title: string;
  sizes: string;
  steps: readonly number[];
  grow: (product: Product, size: number) => Promise<Works>;
};

type Cost = { ms: number; seconds: number; megabytes: number };

/**
 * Of one of `times`: milliseconds of CPU of the whole product; and of all: seconds until they are done, and how much
 * memory they used in addition. Medians of the rounds after the first one, which counts only if it is the only one.
 */
async function costOf(product: Product, { work, times = 1, rounds = ROUNDS }: Works[string]): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [cpuBefore, began] = [cpuMsOf([product.pid, product.postgresPid]), performance.now()];
    const megabytes = await growthOf(product, work);
    const seconds = (performance.now() - began) / 1_000;
    costs.push({ ms: (cpuMsOf([product.pid, product.postgresPid]) - cpuBefore) / times, seconds, megabytes });
  }
  const counted = costs.slice(rounds === 0 ? 0 : 1);
  const typical = (key: keyof Cost) => median(counted.map((cost) => cost[key]));
  // Less than a clock tick in all has no logarithm.
  return { ms: Math.max(typical('ms'), 1 / times), seconds: typical('seconds'), megabytes: typical('megabytes') };
}

const reads = (address: string, headers: Record<string, string> = {}) => ({
  // One at a time: a busy machine must not make the product refuse one of them.
  work: () => load(address, READS, headers, 1),
  times: READS,
});

const GROWTHS: readonly Growth[] = [
  {
    name: 'photos',
    title: 'Cost of a request as a gallery grows',
    sizes: 'photos in the gallery',
    steps: [10, 100, 1_000, 10_000, 50_000],
    async grow(product, size) {
      const made = await makeGallery(product.ownerUrl, size);
      const { authorization } = await makeOwner(product, made.organizationId);
      const photos = `${product.url}/api/v1/galleries/${made.galleryId}/gallery_photos?limit=10`;
      const move = async () => {
        for (let step = 0; step < READS; step++) {
          const [id, after] = [made.photoIds[1 + (step % 3)], made.photoIds.at(-1 - (step % 3))];
          const path = `/api/v1/galleries/${made.galleryId}/update_ordering?photo_id=${id}&after_id=${after}`;
          const moved = await fetch(product.url + path, { method: 'POST', headers: { authorization } });
          if (!moved.ok) throw new Error(`${path} answered ${moved.status}`);
          await moved.arrayBuffer();
        }
      };
      return {
        'gallery page, rendered': reads(`${product.url}/${made.domainName}/gallery/${made.galleryId}`),
        'ten photos as JSON': reads(photos),
        'search by keyword': reads(`${photos}&keyword=number%207`),
        'search that finds nothing': reads(`${photos}&keyword=zebra`),
        'moving a photo': { work: move, times: READS },
      };
    },
  },
  {
    name: 'galleries',
    title: 'Cost of a request as a tenant’s galleries grow',
    sizes: 'galleries of the tenant',
    steps: [10, 100, 1_000, 10_000, 100_000],
    async grow(product, size) {
      const { organizationId, domainName } = await makeGalleries(product.ownerUrl, size);
      const { authorization } = await makeOwner(product, organizationId);
      return {
        home: reads(`${product.url}/${domainName}`),
        dashboard: reads(`${product.url}/${domainName}/dashboard`, { authorization }),
        'members’ call': reads(`${product.url}/api/v1/affiliates/${organizationId}/galleries?page=1&perPage=10`, {
          authorization,
        }),
      };
    },
  },
  {
    name: 'tenants',
    title: 'Cost of a request of one tenant as others come',
    sizes: 'tenants, with ten galleries each',
    steps: [10, 100, 1_000, 10_000],
    async grow(product, size) {
      await makeTenants(product.ownerUrl, size);
      const { organizationId, domainName } = await makeGalleries(product.ownerUrl, 10);
      const { authorization } = await makeOwner(product, organizationId);
      const { galleryId } = await makeGallery(product.ownerUrl, 100);
      return {
        home: reads(`${product.url}/${domainName}`),
        dashboard: reads(`${product.url}/${domainName}/dashboard`, { authorization }),
        'ten photos as JSON': reads(`${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=10`),
      };
    },
  },
  {
    name: 'orders',
    title: 'Cost of reports as orders grow',
    sizes: 'orders of forty tenants in 300 days',
    steps: [100, 1_000, 10_000, 100_000, 1_000_000],
    async grow(product, size) {
      await makeSales(product.ownerUrl, size);
      const { authorization } = await makePlatformAdmin(product);
      const sellerId = await withClient(product.ownerUrl, async (client) =>
        Number(
          (await client.query<{ id: string }>(`select id from organizations where domain_name = 'season-1'`)).rows[0]
            ?.id,
        ),
      );
      const owner = await makeOwner(product, sellerId);
      const report = (path: string, range?: string) => () => askReport(product, authorization, path, range);
      const page = report('/api/v1/orders/admin-report?limit=20');
      const file = report('/api/v1/orders/admin-report-csv.csv');
      const rounds = size >= 100_000 ? 0 : ROUNDS;
      return {
        'report of all days, page': { work: page, rounds },
        'report of 30 days, page': { work: report('/api/v1/orders/admin-report?limit=20', '30-days'), rounds },
        'report of all days, file': { work: file, rounds },
        'one tenant’s dashboard': reads(`${product.url}/season-1/dashboard`, { authorization: owner.authorization }),
      };
    },
  },
];

export const GROWTH_NAMES: readonly string[] = GROWTHS.map(({ name }) => name);

/** Organizations with ten galleries of one photo each, as `makeGalleries` makes one. */
async function makeTenants(ownerUrl: string, count: number): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query(
      `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
       select 'affiliate', 'Tenant ' || n, 'tenant-' || $1::int || '-' || n, 1, false from generate_series(1, $1::int) as n`,
      [count],
    );
    await client.query(
      `insert into organization_private (organization_id) select id from organizations where domain_name like 'tenant-%' on conflict do nothing`,
    );
    await client.query('alter table photos disable trigger user');
    await client.query(
      `with made as (
         insert into galleries (organization_id, name, price_cents, photos_by, photo_count, public_photo_count)
         select o.id, 'Match ' || n, 400, 'Bench', 1, 1 from organizations o, generate_series(1, 10) as n where o.domain_name like 'tenant-' || $1::int || '-%'
         returning id, organization_id
       )
       insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select id, organization_id, 'Photo', 'ready', 'a00000001V', 2400, 1600, '\\x0102', 'originals/' || md5(id::text) || '.jpg', md5(id::text) || md5('y' || id), 10 from made`,
      [count],
    );
    await client.query('alter table photos enable trigger user');
    await client.query('analyze');
  });
}

/** Measures and plots the named growths, all without names. */
export async function drawGrowth(names: readonly string[], tell: Tell): Promise<void> {
  for (const { name, title, sizes, steps, grow } of GROWTHS) {
    if (names.length > 0 && !names.includes(name)) continue;
    tell(title);
    const lines = new Map<string, [number, number][]>();
    // Reports of all orders need a platform with that many; the others grow next to existing data.
    let product: Product | null = null;
    for (const size of steps) {
      if (name === 'orders') await product?.stop();
      if (product === null || name === 'orders') product = await startProduct(UNCACHED);
      for (const [line, works] of Object.entries(await grow(product, size))) {
        // Code gets faster with use: what is measured first would seem expensive.
        if (size === steps[0]) await costOf(product, works);
        const { ms, seconds, megabytes } = await costOf(product, works);
        const wait = works.times === undefined ? ` ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB more` : '';
        tell(
          `     ${size.toLocaleString('en-US').padStart(9)} ${line.padEnd(26)} ${ms.toFixed(2).padStart(10)} ms${wait}`,
        );
        lines.set(line, [...(lines.get(line) ?? []), [size, ms]]);
      }
    }
    await product?.stop();
    const plot = {
      title,
      sizes,
      values: 'ms of CPU',
      lines: [...lines].map(([line, points]) => ({ name: line, points })),
    };
    await writeFile(join(PICTURES, `growth-${name}.svg`), drawPlot(plot));
  }
}

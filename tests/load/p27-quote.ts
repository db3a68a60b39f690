/** P27: CPU of a quote for 20 photos with a price sheet, against one for 20 photos without, in turns. */
import { withClient } from '#src/platform/db/client.ts';
import { load } from '#tests/load/http-load.ts';
import { compareCpu, WARMING, WARMING_OF_SMALL } from '#tests/load/interleaved.ts';
import { makeGallery, type MadeGallery } from '#tests/load/made-gallery.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';

const PHOTOS = 20;
const HAWKS = {
  offers: [
    { id: 1, kind: 'bundle' as const, photos: 3, priceCents: 1000 },
    { id: 2, kind: 'bundle' as const, photos: 5, priceCents: 1500 },
    { id: 3, kind: 'gallery_pass' as const, priceCents: 14_000 },
  ],
  ownPricesTakePart: false,
  earlyBird: null,
};

/** @returns a function that requests quotes for twenty photos of this gallery */
function quotesOf(url: string, { organizationId, galleryId, photoIds }: MadeGallery, amount: number) {
  const items = photoIds.slice(0, PHOTOS).map((id) => ({ id, gallery_id: galleryId }));
  const body = JSON.stringify({ order: { org_id: organizationId, user: { zip: '55401' } }, items });
  return () => load(`${url}/api/v1/orders/quote`, amount, { 'content-type': 'application/json' }, 4, body);
}

async function measure(bench: Bench): Promise<BenchResult> {
  const count = bench.pick(1_500, 300);
  const product = await bench.product(UNCACHED);
  const [plain, offered] = [await makeGallery(product.ownerUrl, 100), await makeGallery(product.ownerUrl, 100)];
  await withClient(product.ownerUrl, async (client) => {
    const ownerQuery = async <Row>(text: string, values: unknown[] = []) =>
      (await client.query(text, values)).rows as Row[];
    await useSheet({ ownerQuery } as never, { ...offered, sellerId: offered.organizationId }, HAWKS);
    await client.query('analyze');
  });
  const pids = [product.pid, product.postgresPid];
  // Both are quotes of one process: half of the rounds warm it up.
  const measured = await compareCpu(
    { pids, run: quotesOf(product.url, offered, count) },
    { pids, run: quotesOf(product.url, plain, count) },
    { rounds: bench.rounds, count, warming: bench.pick(WARMING_OF_SMALL / 2, WARMING) },
  );
  return {
    figures: { quote: { value: measured.ratio, must: 1.15, aim: 1.05 } },
    details: { withSheetMs: measured.productMs, withoutMs: measured.yardstickMs },
  };
}

export const quoteRow: BenchRow = {
  name: 'P27',
  what: 'CPU of a quote for 20 photos with a price sheet / without',
  measure,
};

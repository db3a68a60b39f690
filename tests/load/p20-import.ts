/** P20: how much slower the gallery page comes while the worker imports 10,000 accounts, and what reading and importing take in memory. */
import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';
import { withClient } from '#src/platform/db/client.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makePlatformAdmin } from '#tests/load/made-owner.ts';
import { treeOf } from '#tests/load/process-cpu.ts';
import { startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const ROWS = 10_000;
const HEAD = 'orgname,newOrgName,customPath,firstName,lastName,email,password,tax_id';
/** As many visitors as one small machine has at a time; they come steadily, so that waiting shows. */
const VISITS = { connections: 2, overallRate: 20, duration: 10 };
const PAGE_BYTES = 4096;

/** Resident memory of each process of the product, the largest first, in MB. */
function largestMb(product: Product): number {
  const sizes = treeOf([product.pid]).map((pid) => {
    try {
      return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1_048_576;
    } catch {
      return 0;
    }
  });
  return Math.max(...sizes);
}

/** 95 of 100 visits come within so many milliseconds. */
async function p95(url: string): Promise<number> {
  const result = await autocannon({ url, ...VISITS });
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.latency.p97_5;
}

type Standing = { import_id: number; status: string; created: number; total: number };

async function upload(product: Product, authorization: string, withPasswords: boolean): Promise<Standing> {
  const tag = withPasswords ? 'with' : 'without';
  const rows = Array.from(
    { length: ROWS },
    (_, index) =>
      `Sideline,Club ${tag} ${index},${tag}-${index},Una,Miller,${tag}-${index}@new.test,${withPasswords ? 'orange-river-9' : ''},12-34`,
  );
  const form = new FormData();
  form.append('file', new Blob([[HEAD, ...rows].join('\n')], { type: 'text/csv' }), `${tag}.csv`);
  const response = await fetch(`${product.url}/api/v1/bulk/users?wait=0`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  if (response.status !== 202) throw new Error(`the import answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Standing;
}

async function measure(): Promise<BenchResult> {
  const product = await startProduct();
  try {
    const { galleryId } = await makeGallery(product.ownerUrl, 100);
    const { authorization } = await makePlatformAdmin(product);
    const url = `${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=10`;
    const result: BenchResult = { ratios: {}, details: {} };
    await p95(url);
    for (const withPasswords of [false, true]) {
      const name = withPasswords ? 'with passwords' : 'invited';
      const calm = await p95(url);
      const before = largestMb(product);
      const uploadedAt = performance.now();
      const { import_id: importId } = await upload(product, authorization, withPasswords);
      result.details[`${name}: read in s`] = (performance.now() - uploadedAt) / 1_000;
      const busy = await p95(url);
      result.ratios[name] = busy / calm;
      result.details[`${name}: p97.5 ms calm`] = calm;
      result.details[`${name}: p97.5 ms busy`] = busy;
      const [row] = (
        await withClient(product.ownerUrl, (client) =>
          client.query<{ done: number; s: number }>(
            `select count(*)::integer as done, extract(epoch from now() - min(i.started_at))::float as s
               from bulk_import_rows r join bulk_imports i on i.id = r.import_id where i.id = $1 and r.result is not null`,
            [importId],
          ),
        )
      ).rows;
      result.details[`${name}: rows a second`] = (row?.done ?? 0) / (row?.s ?? 1);
      result.details[`${name}: largest process grew MB`] = largestMb(product) - before;
      // The rest is taken back, so that the next round begins calm.
      await withClient(product.ownerUrl, (client) =>
        client.query(
          "update bulk_import_rows set result = 'failed', messages = '{stopped}', password_sealed = null where import_id = $1 and result is null",
          [importId],
        ),
      );
    }
    return result;
  } finally {
    await product.stop();
  }
}

export const importRow: BenchRow = {
  name: 'P20',
  what: 'slowdown of visitors while 10,000 CSV rows are imported',
  must: 1.5,
  aim: 1.1,
  measure,
};

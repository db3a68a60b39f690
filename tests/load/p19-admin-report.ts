/** P19: the platform's report over 100,000 orders, and what its file costs in memory. */
import { readFileSync } from 'node:fs';
import { makePlatformAdmin } from '#tests/load/made-owner.ts';
import { makeSales } from '#tests/load/made-sales.ts';
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';
import { processesOf, startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const ORDERS = 100_000;
const ROUNDS = 3;
const MUST = { seconds: 3, growthMb: 50 };
const SAMPLE_MS = 20;
const PAGE_BYTES = 4096;
const MB = 1024 * 1024;

/** Memory of the product's own processes (without the database) that no other process shares, in MB. */
function memoryMb(product: Product): number {
  const pages = processesOf(product).map((pid) => {
    try {
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
      return resident - shared;
    } catch {
      return 0;
    }
  });
  return (pages.reduce((sum, count) => sum + count, 0) * PAGE_BYTES) / MB;
}

/** The peak memory of work above what was used before it. */
async function growthOf(product: Product, work: () => Promise<unknown>): Promise<number> {
  const before = memoryMb(product);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, memoryMb(product))), SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

async function measure(): Promise<BenchResult> {
  const product = await startProduct();
  try {
    await makeSales(product.ownerUrl, ORDERS);
    const { authorization } = await makePlatformAdmin(product);
    const ask = async (path: string): Promise<number> => {
      const response = await fetch(product.url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ date_range: 'all', show_reconciled: true }),
      });
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      let bytes = 0;
      for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
      return bytes;
    };
    const secondsOf = async (path: string): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const begun = performance.now();
        await ask(path);
        if (round > 0) times.push((performance.now() - begun) / 1000);
      }
      return median(times);
    };
    const FILE = '/api/v1/orders/admin-report-csv.csv';
    const PAGE = '/api/v1/orders/admin-report?limit=20';
    const WHOLE = '/api/v1/orders/admin-report';
    const page = await secondsOf(PAGE);
    const whole = await secondsOf(WHOLE);
    const file = await secondsOf(FILE);
    /** What it cost the machine, which a busy one tells more truly. */
    const cpuSecondsOf = async (path: string): Promise<number> => {
      const pids = [product.pid, product.postgresPid];
      const before = cpuMsOf(pids);
      await ask(path);
      return (cpuMsOf(pids) - before) / 1000;
    };
    const growths: number[] = [];
    for (let round = 0; round < ROUNDS; round++) growths.push(await growthOf(product, () => ask(FILE)));
    const growthMb = median(growths);
    return {
      ratios: {
        'page, seconds / 3': page / MUST.seconds,
        'whole, seconds / 3': whole / MUST.seconds,
        'file, MB / 50': growthMb / MUST.growthMb,
      },
      details: {
        'page seconds': page,
        'whole answer seconds': whole,
        'file seconds': file,
        'page, seconds of CPU': await cpuSecondsOf(PAGE),
        'whole, seconds of CPU': await cpuSecondsOf(WHOLE),
        'file, seconds of CPU': await cpuSecondsOf(FILE),
        'file memory growth MB': growthMb,
        'most of the rounds MB': Math.max(...growths),
        'file size MB': (await ask(FILE)) / MB,
      },
    };
  } finally {
    await product.stop();
  }
}

export const adminReportRow: BenchRow = {
  name: 'P19',
  what: 'the platform’s report over 100,000 orders / 3 seconds, and the memory that its file takes / 50 MB',
  must: 1,
  aim: 1 / 6,
  measure,
};

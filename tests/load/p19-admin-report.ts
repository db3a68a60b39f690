/** P19: the platform's report over 100,000 orders, and what its file costs in memory. */
import { readFileSync } from 'node:fs';
import { makePlatformAdmin } from '#tests/load/made-owner.ts';
import { makeSales } from '#tests/load/made-sales.ts';
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';
import type { Bench } from '#tests/load/open-bench.ts';
import { processesOf, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const ORDERS = 100_000;
const ROUNDS = 3;
const SECONDS = { must: 3, aim: 0.5 };
const GROWTH_MB = { must: 50, aim: 10 };
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
export async function growthOf(product: Product, work: () => Promise<unknown>): Promise<number> {
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

/** Requests a report of these days and reads it to its end; bytes of the answer. */
export async function askReport({ url }: Product, authorization: string, path: string, range = 'all'): Promise<number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ date_range: range, show_reconciled: true }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}

async function measure(bench: Bench): Promise<BenchResult> {
  await bench.reset();
  const product = await bench.product();
  await makeSales(product.ownerUrl, ORDERS);
  const { authorization } = await bench.made('an administrator', makePlatformAdmin);
  const ask = (path: string, range?: string) => askReport(product, authorization, path, range);
  const secondsOf = async (path: string, range?: string): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const begun = performance.now();
      await ask(path, range);
      if (round > 0) times.push((performance.now() - begun) / 1000);
    }
    return median(times);
  };
  const FILE = '/api/v1/orders/admin-report-csv.csv';
  const PAGE = '/api/v1/orders/admin-report?limit=20';
  const WHOLE = '/api/v1/orders/admin-report';
  const page = await secondsOf(PAGE);
  const month = await secondsOf(PAGE, '30-days');
  const whole = await secondsOf(WHOLE);
  const file = await secondsOf(FILE);
  /** The cost in CPU, which is more accurate than time on a busy machine. */
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
    figures: {
      'page, seconds': { value: page, ...SECONDS },
      'page of 30 days, seconds': { value: month, ...SECONDS },
      'whole, seconds': { value: whole, ...SECONDS },
      'file, MB more': { value: growthMb, ...GROWTH_MB },
    },
    details: {
      'file seconds': file,
      'page, seconds of CPU': await cpuSecondsOf(PAGE),
      'whole, seconds of CPU': await cpuSecondsOf(WHOLE),
      'file, seconds of CPU': await cpuSecondsOf(FILE),
      'most of the rounds MB': Math.max(...growths),
      'file size MB': (await ask(FILE)) / MB,
    },
  };
}

export const adminReportRow: BenchRow = {
  name: 'P19',
  what: 'the platform’s report over 100,000 orders, and the memory that its file takes',
  notQuick: '100,000 orders',
  measure,
};

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
const FILE = '/api/v1/orders/admin-report-csv.csv';
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

/** Medians of the rounds after a first one that is not counted; CPU is more accurate than time on a busy machine. */
type Cost = { seconds: number; cpuSeconds: number; bytes: number };

async function costOf(product: Product, ask: () => Promise<number>): Promise<Cost> {
  const pids = [product.pid, product.postgresPid];
  let bytes = await ask();
  const [seconds, cpuSeconds]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const [cpuBefore, begun] = [cpuMsOf(pids), performance.now()];
    bytes = await ask();
    seconds.push((performance.now() - begun) / 1000);
    cpuSeconds.push((cpuMsOf(pids) - cpuBefore) / 1000);
  }
  return { seconds: median(seconds), cpuSeconds: median(cpuSeconds), bytes };
}

async function measure(bench: Bench): Promise<BenchResult> {
  await bench.reset();
  const product = await bench.product();
  await makeSales(product.ownerUrl, ORDERS);
  const { authorization } = await bench.made('an administrator', makePlatformAdmin);
  const ask = (path: string, range?: string) => askReport(product, authorization, path, range);
  const cost = (path: string, range?: string) => costOf(product, () => ask(path, range));
  const page = await cost('/api/v1/orders/admin-report?limit=20');
  const month = await cost('/api/v1/orders/admin-report?limit=20', '30-days');
  const whole = await cost('/api/v1/orders/admin-report');
  const file = await cost(FILE);
  // Looking at the memory takes time: not in the rounds above.
  const growths: number[] = [];
  for (let round = 0; round < ROUNDS; round++) growths.push(await growthOf(product, () => ask(FILE)));
  return {
    figures: {
      'page, seconds': { value: page.seconds, ...SECONDS },
      'page of 30 days, seconds': { value: month.seconds, ...SECONDS },
      'whole, seconds': { value: whole.seconds, ...SECONDS },
      'file, MB more': { value: median(growths), ...GROWTH_MB },
    },
    details: {
      'file seconds': file.seconds,
      'page, seconds of CPU': page.cpuSeconds,
      'whole, seconds of CPU': whole.cpuSeconds,
      'file, seconds of CPU': file.cpuSeconds,
      'most of the rounds MB': Math.max(...growths),
      'file size MB': file.bytes / MB,
    },
  };
}

export const adminReportRow: BenchRow = {
  name: 'P19',
  what: 'the platform’s report over 100,000 orders, and the memory that its file takes',
  notQuick: '100,000 orders',
  measure,
};

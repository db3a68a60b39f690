/** P16 and P17: how long the product takes to start on existing data, and its memory at rest. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, treeOf } from '#tests/load/process-cpu.ts';
import { processesOf, startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const ROUNDS = 5;
/** Long enough for caches of the start to be given back. */
const REST_MS = 20_000;
const MEMORY_MUST_MB = 400;
const MEMORY_AIM_MB = 250;

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function measureStart(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sideline-start-'));
  const bareFolder = await mkdtemp(join(tmpdir(), 'sideline-bare-'));
  const bare = async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'yardsticks/bare-start.ts'), bareFolder], {
      stdio: 'inherit',
    });
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`the bare start ended with ${code}`);
  };
  try {
    await (await startProduct({ DATA_DIR: folder })).stop({ keep: true });
    await bare();
    const times = { product: [] as number[], bare: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      const product = await startProduct({ DATA_DIR: folder });
      times.product.push((performance.now() - began) / 1000);
      await product.stop({ keep: true });
      times.bare.push(await secondsOf(bare));
    }
    const [productSeconds, bareSeconds] = [median(times.product), median(times.bare)];
    return {
      ratios: { start: productSeconds / bareSeconds },
      details: { 'product seconds': productSeconds, 'bare seconds': bareSeconds },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(bareFolder, { recursive: true, force: true });
  }
}

/** Proportional set size in MB: memory that processes share counts once. */
export function pssMb(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

async function measureRest(): Promise<BenchResult> {
  const product = await startProduct({ WEB_CONCURRENCY: '2' });
  try {
    await pause(REST_MS);
    const [ours, database] = [pssMb(processesOf(product)), pssMb(treeOf([product.postgresPid]))];
    return {
      ratios: { 'memory at rest': (ours + database) / MEMORY_MUST_MB },
      details: { 'Node processes MB': ours, 'PostgreSQL MB': database },
    };
  } finally {
    await product.stop();
  }
}

export const startRow: BenchRow = {
  name: 'P16',
  what: 'start on an existing database / a bare Node and PostgreSQL start',
  must: 8,
  aim: 4,
  measure: measureStart,
};

export const restRow: BenchRow = {
  name: 'P17',
  what: `memory at rest with two web processes / ${MEMORY_MUST_MB} MB`,
  must: 1,
  aim: MEMORY_AIM_MB / MEMORY_MUST_MB,
  measure: measureRest,
};

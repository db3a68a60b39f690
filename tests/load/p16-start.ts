/** P16: how long the product takes to start on existing data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remember } from '#tests/load/children.ts';
import { median } from '#tests/load/process-cpu.ts';
import { AS_STARTED, type Bench } from '#tests/load/open-bench.ts';
import { startProduct } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function measureStart(bench: Bench): Promise<BenchResult> {
  // Begins to rest for P17 and P26. It takes a hundredth of a core.
  await bench.product(AS_STARTED);
  const folder = await mkdtemp(join(tmpdir(), 'sideline-start-'));
  const bareFolder = await mkdtemp(join(tmpdir(), 'sideline-bare-'));
  const bare = async () => {
    const child = remember(
      spawn(process.execPath, [join(import.meta.dirname, 'yardsticks/bare-start.ts'), bareFolder], {
        stdio: 'inherit',
      }),
    );
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`the bare start ended with ${code}`);
  };
  try {
    await (await startProduct({ DATA_DIR: folder })).stop({ keep: true });
    await bare();
    const times = { product: [] as number[], bare: [] as number[] };
    for (let round = 0; round < bench.rounds; round++) {
      const began = performance.now();
      const product = await startProduct({ DATA_DIR: folder });
      times.product.push((performance.now() - began) / 1000);
      await product.stop({ keep: true });
      times.bare.push(await secondsOf(bare));
    }
    const [productSeconds, bareSeconds] = [median(times.product), median(times.bare)];
    return {
      figures: { start: { value: productSeconds / bareSeconds, must: 8, aim: 4 } },
      details: { 'product seconds': productSeconds, 'bare seconds': bareSeconds },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(bareFolder, { recursive: true, force: true });
  }
}

export const startRow: BenchRow = {
  name: 'P16',
  what: 'start on an existing database / a bare Node and PostgreSQL start',
  notQuick: 'it starts the product seven times',
  measure: measureStart,
};

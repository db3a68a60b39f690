/**
 * Memory that a product still holds after all of its Node processes have collected garbage. What they occupy at any
 * moment depends on when V8 last collected: in minutes that moves by more than a leak adds.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { processesOf, startProduct, type Product } from '#tests/load/product.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'collect-on-signal.mjs')).href;
const LOOK_MS = 20;
const ANSWER_WITHIN_MS = 20_000;
/** Supervisor, web process and worker. */
const LEAST_PROCESSES = 3;

/** A product that can be asked what it keeps. */
export async function startAccountable(): Promise<{ product: Product; keptMb: () => Promise<number> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sideline-kept-'));
  const product = await startProduct({ KEPT_MEMORY_DIR: folder, NODE_OPTIONS: `--import=${PRELOAD}` });
  const listening = new Set((await readdir(folder)).map(Number));
  const pids = processesOf(product).filter((pid) => listening.has(pid));
  if (pids.length < LEAST_PROCESSES) throw new Error(`only ${pids.length} processes can be asked for their memory`);
  const stop = () => product.stop().finally(() => rm(folder, { recursive: true, force: true }));
  return {
    product: { ...product, stop },
    async keptMb() {
      let bytes = 0;
      // One after the other, so that not all of them stop at the same time.
      for (const pid of pids) bytes += await keptBy(pid, join(folder, String(pid)));
      return bytes / 1024 ** 2;
    },
  };
}

async function keptBy(pid: number, file: string): Promise<number> {
  await writeFile(file, '');
  process.kill(pid, 'SIGUSR2');
  for (let waitedMs = 0; waitedMs < ANSWER_WITHIN_MS; waitedMs += LOOK_MS) {
    await pause(LOOK_MS);
    const answer = await readFile(file, 'utf8');
    if (answer !== '') return Number(answer);
  }
  throw new Error(`process ${pid} did not say what it keeps`);
}

/** What the rows of one run share: their pace, one product at a time, and what was made in it. */
import { setTimeout as pause } from 'node:timers/promises';
import { makeGallery, type MadeGallery } from '#tests/load/made-gallery.ts';
import { cpuMsOf } from '#tests/load/process-cpu.ts';
import { startProduct, type Product } from '#tests/load/product.ts';

export type Bench = {
  isQuick: boolean;
  /** How often the product and its yardstick take turns. */
  rounds: number;
  /** The first of the two, with `--quick` the second. */
  pick<T>(whole: T, quick: T): T;
  /** A product with this environment, at rest: the one of the row before, if that wanted the same. */
  product(env?: Record<string, string>): Promise<Product>;
  /** A gallery in that product, for rows that leave it as it is or do not mind how it is. */
  gallery(photoCount: number): Promise<MadeGallery>;
  /** What is made once in that product. */
  made<T>(name: string, make: (product: Product) => Promise<T>): Promise<T>;
  /** What is made once for the whole run. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** Stops the product, for a row with its own; the next row gets a new one. */
  reset(): Promise<void>;
};

/** Each page is rendered for each request; for all rows that do not measure the cache, so that they share a product. */
export const UNCACHED = { PAGE_CACHE_MB: '0' };

/** Two web processes, as `npm start` starts them on two cores. */
export const AS_STARTED = { WEB_CONCURRENCY: '2' };

/** CPU in half a second below which a product has finished its work. */
const REST_MS = 40;
const LOOK_MS = 500;
const MOST_LOOKS = 40;

export function openBench(isQuick: boolean): Bench {
  let shared: { key: string; product: Product; made: Map<string, Promise<unknown>> } | null = null;
  const ofTheRun = new Map<string, Promise<unknown>>();
  const bench: Bench = {
    isQuick,
    rounds: isQuick ? 3 : 5,
    pick: (whole, quick) => (isQuick ? quick : whole),
    async product(env = {}) {
      const key = JSON.stringify(env);
      if (shared?.key !== key) {
        await bench.reset();
        shared = { key, product: await startProduct(env), made: new Map() };
      }
      await atRest(shared.product);
      return shared.product;
    },
    gallery: (photoCount) =>
      bench.made(`a gallery of ${photoCount}`, ({ ownerUrl }) => makeGallery(ownerUrl, photoCount)),
    made(name, make) {
      if (shared === null) throw new Error('no product is running');
      const { product } = shared;
      return remembered(shared.made, name, () => make(product));
    },
    once: (name, make) => remembered(ofTheRun, name, make),
    async reset() {
      const before = shared;
      shared = null;
      await before?.product.stop();
    },
  };
  return bench;
}

function remembered<T>(known: Map<string, Promise<unknown>>, name: string, make: () => Promise<T>): Promise<T> {
  const made = (known.get(name) as Promise<T> | undefined) ?? make();
  known.set(name, made);
  return made;
}

/** Waits until a product has finished its work, some twenty seconds at most. */
export async function atRest({ pid, postgresPid }: Product): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const before = cpuMsOf([pid, postgresPid]);
    await pause(LOOK_MS);
    if (cpuMsOf([pid, postgresPid]) - before <= REST_MS) return;
  }
}

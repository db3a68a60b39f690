/** CPU of the product against a yardstick, alternating within the same minutes, so that a noisy machine affects both alike. */
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';

export type Contestant = {
  /** Process trees whose CPU counts, the database among them. */
  pids: readonly number[];
  /** Does the work once: `count` requests or orders. */
  run: () => Promise<void>;
};

export type Measured = { ratio: number; productMs: number; yardstickMs: number };

/**
 * Not counted: the first five hundred requests of a page cost up to twice as much, because V8 still compiles their
 * code.
 */
export const WARMING = 3;
/**
 * For rows whose requests take a tenth of a millisecond: until the eight thousandth, V8's compiler takes up to half as
 * much as the request, and after the fifteen thousandth next to nothing (decision record 0123).
 */
export const WARMING_OF_SMALL = 10;

/**
 * Median over `rounds` of CPU milliseconds for `count` pieces of work, and their ratio. The two alternate in going
 * first.
 */
export async function compareCpu(
  product: Contestant,
  yardstick: Contestant,
  options: {
    rounds?: number;
    count: number;
    /** Of the yardstick, if its work is so small that it would not show in clock ticks of 10 ms. */
    bareCount?: number;
    /** Rounds that are not counted. */
    warming?: number;
    /** Prepared before each round, not counted. */ between?: () => Promise<void>;
  },
): Promise<Measured> {
  const { rounds = 5, count, bareCount = count, warming = WARMING } = options;
  const times = { product: [] as number[], yardstick: [] as number[] };
  for (let round = 0; round < warming + rounds; round++) {
    if (round > 0) await options.between?.();
    const spent = { product: 0, yardstick: 0 };
    if (round % 2 === 0) spent.product = await cpuOf(product);
    spent.yardstick = await cpuOf(yardstick);
    if (round % 2 === 1) spent.product = await cpuOf(product);
    if (round < warming) continue;
    times.product.push(spent.product / count);
    times.yardstick.push(spent.yardstick / bareCount);
  }
  const [productMs, yardstickMs] = [median(times.product), median(times.yardstick)];
  return { ratio: productMs / yardstickMs, productMs, yardstickMs };
}

async function cpuOf(contestant: Contestant): Promise<number> {
  const before = cpuMsOf(contestant.pids);
  await contestant.run();
  return cpuMsOf(contestant.pids) - before;
}

/** CPU of the product against a yardstick, alternating within the same minutes, so that a noisy machine affects both alike. */
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';

export type Contestant = {
  /** Process trees whose CPU counts, the database among them. */
  pids: readonly number[];
  /** Does the work once: `count` requests or orders. */
  run: () => Promise<void>;
};

/** One of several that take turns. */
type Side = Contestant & {
  /** Pieces of work that it does in a round. */
  count: number;
  /** Rounds that are not counted, if fewer than of the others. */
  warming?: number;
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

type Turns = {
  rounds?: number;
  /** Rounds that are not counted. */
  warming?: number;
  /** Prepared before each round, not counted. */
  between?: () => Promise<void>;
};

/** Of a product and its yardstick, CPU milliseconds for one piece of work, and their ratio. */
export async function compareCpu(
  product: Contestant,
  yardstick: Contestant,
  {
    count,
    bareCount = count,
    bareWarming,
    ...turns
  }: Turns & {
    count: number;
    /** Of the yardstick, if its work is so small that it would not show in clock ticks of 10 ms. */
    bareCount?: number;
    /** Of the yardstick, if it does so much in a round that it is warm sooner. */
    bareWarming?: number;
  },
): Promise<Measured> {
  const sides: Side[] = [
    { ...product, count },
    { ...yardstick, count: bareCount, ...(bareWarming === undefined ? {} : { warming: bareWarming }) },
  ];
  const [productMs = Number.NaN, yardstickMs = Number.NaN] = await cpuInTurns(sides, turns);
  return { ratio: productMs / yardstickMs, productMs, yardstickMs };
}

/** The medians over `rounds` of CPU milliseconds for one of `count` pieces of work. Every other round runs backwards. */
export async function cpuInTurns(
  sides: readonly Side[],
  { rounds = 5, warming = WARMING, between }: Turns,
): Promise<number[]> {
  const times = sides.map(() => [] as number[]);
  for (let round = 0; round < warming + rounds; round++) {
    if (round > 0) await between?.();
    const turns = [...sides.entries()];
    if (round % 2 === 1) turns.reverse();
    for (const [place, side] of turns) {
      if (round < warming - (side.warming ?? warming)) continue;
      const ms = (await cpuOf(side)) / side.count;
      if (round >= warming) times[place]?.push(ms);
    }
  }
  return times.map(median);
}

async function cpuOf(contestant: Contestant): Promise<number> {
  const before = cpuMsOf(contestant.pids);
  await contestant.run();
  return cpuMsOf(contestant.pids) - before;
}

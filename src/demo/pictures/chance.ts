/** Chance that always falls the same way: every picture is drawn from a number, so that a redrawn demo is the same demo. */
export type Chance = {
  /** 0 <= x < 1 */
  next(): number;
  between(low: number, high: number): number;
  /** Roughly normal, mean 0, deviation 1. */
  normal(): number;
  whole(low: number, high: number): number;
  pick<T>(all: readonly T[]): T;
  happens(probability: number): boolean;
};

export function chanceOf(seed: number): Chance {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    normal: () => next() + next() + next() + next() + next() + next() - 3 + (next() + next() - 1) * 0.7,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(all: readonly T[]): T => {
      const picked = all[Math.floor(next() * all.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    happens: (probability) => next() < probability,
  };
}

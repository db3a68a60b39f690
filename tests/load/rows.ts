/** The rows of `npm run bench`: what is measured, and the limits of each figure. */
import type { Bench } from '#tests/load/open-bench.ts';

export type BenchRow = {
  name: string;
  what: string;
  /** Why `--quick` leaves it out, if it does. */
  notQuick?: string;
  measure: (bench: Bench) => Promise<BenchResult>;
};

/** The largest figure that is acceptable, and the goal (docs/performance.md); with `isLeast` the smallest ones. */
export type Limits = { must: number; aim: number; isLeast?: true };

/** A ratio to the yardstick of the same run, or a value with the unit in its name. */
export type Figure = Limits & { value: number };

export type BenchResult = {
  figures: Record<string, Figure>;
  /** The parts of the figures, with units in their names. */
  details: Record<string, number>;
};

/** Whether the figure is within `limit`; a figure that could not be measured is not. */
export const keeps = ({ value, isLeast }: Figure, limit: number): boolean =>
  isLeast ? value >= limit : value <= limit;

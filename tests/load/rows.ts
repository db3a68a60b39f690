/** The rows of `npm run bench`: what is measured, against which yardstick, and the limits. */
export type BenchRow = {
  name: string;
  what: string;
  /** The largest ratio that is still right, and the one we want (docs/performance.md). */
  must: number;
  aim: number;
  measure: () => Promise<BenchResult>;
};

export type BenchResult = {
  /** Named ratios against the yardstick; the worst is held against `must`. */
  ratios: Record<string, number>;
  /** What they are made of, with units in their names. */
  details: Record<string, number>;
};

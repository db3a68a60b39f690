/** The rows of `npm run bench`: what is measured, against which yardstick, and what must hold. */
export type BenchRow = {
  name: string;
  what: string;
  must: number;
  aim: number;
  /** Named numbers; each is a ratio, the worst of them is held against `must`. */
  measure: () => Promise<Record<string, number>>;
};

/** Limits how much work runs at once and how much waits for it; rejects beyond that. */
import type { Problem } from '#src/shared/problem.ts';

/** Ends the work; a second call does nothing. */
export type Release = () => void;

export type ConcurrencyLimit = {
  /** Waits until work may begin. @throws the `full` problem */
  acquire(): Promise<Release>;
  /** Does the work between acquiring and releasing. @throws the `full` problem, and what the work throws */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Work that runs or waits. */
  pending(): number;
};

/** Without `waiting`, any number may wait. */
export type ConcurrencyOptions =
  | { atOnce: number; waiting?: undefined }
  | { atOnce: number; waiting: number; full: () => Problem };

export function createConcurrencyLimit(options: ConcurrencyOptions): ConcurrencyLimit {
  const queue: (() => void)[] = [];
  let running = 0;

  async function acquire(): Promise<Release> {
    if (running < options.atOnce) running += 1;
    else if (options.waiting !== undefined && queue.length >= options.waiting) throw options.full();
    // The one that ends hands over its place, so `running` stays the same.
    else await new Promise<void>((begin) => queue.push(begin));
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    };
  }

  return {
    acquire,
    async run(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
    pending: () => running + queue.length,
  };
}

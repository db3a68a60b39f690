/** Limits how much work runs at the same time and how much waits; rejects beyond that. */
import type { Problem } from '#src/shared/problem.ts';

/** Ends the work; a second call does nothing. */
export type Release = () => void;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/** Without `waiting`, any number may wait. */
export type BoundedWait = { atOnce: number; waiting: number; full: () => Problem };
type ConcurrencyOptions = { atOnce: number; waiting?: undefined } | BoundedWait;

export function createConcurrencyLimit(options: ConcurrencyOptions) {
  const queue: (() => void)[] = [];
  let running = 0;

  async function acquire(): Promise<Release> {
    if (running < options.atOnce) running += 1;
    else if (options.waiting !== undefined && queue.length >= options.waiting) throw options.full();
    // The next one gets the slot of finished work, so `running` stays the same.
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
    /** Waits until work may begin. @throws the `full` problem */
    acquire,
    /** Does the work between acquiring and releasing. @throws the `full` problem, and errors of the work */
    async run<T>(work: () => Promise<T>) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
    /** Work that runs or waits. */
    pending: () => running + queue.length,
  };
}

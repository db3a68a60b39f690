/** So many at once, so many who wait; whoever comes after them is told to come again. For work that is dear to the database. */
import type { Problem } from '#src/shared/problem.ts';

export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurnstile(options: { atOnce: number; waiting: number; full: () => Problem }): Turnstile {
  let inside = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (inside < options.atOnce) inside += 1;
    else if (queue.length >= options.waiting) throw options.full();
    // Whoever leaves hands the place on, so the count stays.
    else await new Promise<void>((enter) => queue.push(enter));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}

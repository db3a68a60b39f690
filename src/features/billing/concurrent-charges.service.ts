/**
 * Cards of one address go to the provider a few at a time, so that declines are counted before the next card is tried: a
 * list of stolen cards sent all at once is no way around the limit (threat 37). Counted in the process.
 */
import { createConcurrencyLimit, type ConcurrencyLimit, type Release } from '#src/platform/limits/concurrency-limit.ts';

/** More than the tills of a gym at half-time need together. */
export const CHARGES_AT_ONCE = 8;
/** A slow provider must not hold up a whole school behind one address. */
const LONGEST_WAIT_MS = 5_000;

const limits = new Map<string, ConcurrencyLimit>();

/** Waits until fewer than eight charges of this address are under way, and for five seconds at most. */
export async function acquireCharge(ip: string): Promise<Release> {
  const limit = limits.get(ip) ?? createConcurrencyLimit({ atOnce: CHARGES_AT_ONCE });
  limits.set(ip, limit);
  const acquired = limit.acquire();
  await new Promise<void>((begin) => {
    const timer = setTimeout(begin, LONGEST_WAIT_MS);
    void acquired.then(() => {
      clearTimeout(timer);
      begin();
    });
  });
  return () =>
    void acquired.then((release) => {
      release();
      if (limit.pending() === 0) limits.delete(ip);
    });
}

/**
 * Cards of one address go to the provider a few at a time, so that declines are counted before the next card is tried: a
 * list of stolen cards sent all at once is no way around the limit (threat 37). Counted in the process.
 */
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import type { ConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';

/** More than the tills of a gym at half-time need together. */
export const CHARGES_AT_ONCE = 8;
/** A provider who is slow must not hold up a whole school behind one address. */
const LONGEST_WAIT_MS = 5_000;

const limits = new Map<string, ConcurrencyLimit>();

/** Charges when fewer than eight charges of this address are under way; after five seconds of waiting in any case. */
export async function limitConcurrentCharges<T>(ip: string, charge: () => Promise<T>): Promise<T> {
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
  try {
    return await charge();
  } finally {
    void acquired.then((release) => {
      release();
      if (limit.pending() === 0) limits.delete(ip);
    });
  }
}

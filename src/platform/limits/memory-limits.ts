/**
 * Limits of cheap reads (pictures, pages), counted in the process: no query, no waiting. With several web processes, a
 * sender whose connections reach all of them gets the limit once per process.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { scaledLimit, tooMany, type RateLimit } from '#src/platform/limits/rate-limits.ts';

export type MemoryLimits = ReturnType<typeof createMemoryLimits>;

type Bucket = { tokens: number; at: number; fullAt: number };

/** Enough for the senders of a busy day; beyond it the oldest is dropped. About 10 MB when full. */
const MAX_BUCKETS = 50_000;

/**
 * A token bucket per name: a burst of `limit`, refilled evenly over the window. A full bucket is the same as an unknown
 * one and is dropped. `now` returns milliseconds of a clock that never goes back.
 */
export function createMemoryLimits(options: { factor: number; now?: () => number; maxBuckets?: number }) {
  const { factor, now = () => performance.now(), maxBuckets = MAX_BUCKETS } = options;
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets });
  let nextSweep = now() + 60_000;

  function sweep(at: number): void {
    nextSweep = at + 60_000;
    for (const [name, bucket] of buckets) if (bucket.fullAt <= at) buckets.delete(name);
  }

  return {
    /** Takes from the bucket, synchronously. @throws too_many with `Retry-After`. */
    take({ bucket: name, limit, windowSeconds, cost = 1 }: RateLimit) {
      const at = now();
      if (at >= nextSweep) sweep(at);
      const capacity = scaledLimit(limit, factor);
      const msPerToken = (windowSeconds * 1000) / capacity;
      const known = buckets.get(name);
      const tokens = known ? Math.min(capacity, known.tokens + (at - known.at) / msPerToken) : capacity;
      if (tokens < cost)
        throw tooMany(Math.max(1, Math.ceil(((Math.min(cost, capacity) - tokens) * msPerToken) / 1000)));
      const left = tokens - cost;
      buckets.set(name, { tokens: left, at, fullAt: at + (capacity - left) * msPerToken });
    },
    /** The number of buckets in memory. */
    size: () => buckets.size,
  };
}

/** Limits how much work runs at the same time and how much waits; rejects beyond that. */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { scaledLimit, tooMany, type RateLimit } from '#src/platform/limits/rate-limits.ts';
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
    // Finished work hands over its slot, so `running` stays the same.
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

/**
 * Limits of cheap reads (pictures, pages), counted in the process: no query, no waiting. With several web processes, a
 * sender whose connections reach all of them gets the limit once per process.
 */
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

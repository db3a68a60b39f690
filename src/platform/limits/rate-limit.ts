import { problem, type Problem } from '#src/shared/problem.ts';

/** A share of something that a bucket (an address, an account, a gallery) may use up. */
export type RateLimit = {
  /** Who and what: `login:ip:203.0.113.7`. Two limits with different windows need two buckets. */
  bucket: string;
  /** How much per window, before `RATE_LIMIT_FACTOR`. */
  limit: number;
  windowSeconds: number;
  /** How much this call takes; 1 when absent. */
  cost?: number;
};

/** The problem for too many requests, in the words of bad input 26; at least 2 seconds, because the sentence says "seconds". */
export function tooMany(seconds: number): Problem {
  const wait = Math.max(2, seconds);
  return problem('too_many', `Too many attempts. Try again in ${wait} seconds.`, { retryAfterSeconds: wait });
}

/** A limit times the operator's factor; at least 1, so that a small factor closes nothing for good. */
export function scaledLimit(limit: number, factor: number): number {
  return Math.max(1, Math.floor(limit * factor));
}

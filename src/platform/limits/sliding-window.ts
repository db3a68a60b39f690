/**
 * A sliding window made of two fixed ones: the count of the last window fades out while the present one fills, so that
 * `current + previous × (1 - elapsed / window)` counts. The database counts in one statement; the arithmetic of waiting
 * is here.
 */
export type WindowCounts = {
  /** Hits of the previous window and of the present one. */
  previous: number;
  current: number;
  /** How much of the present window has elapsed. */
  elapsedSeconds: number;
};

export type WindowLimit = { limit: number; windowSeconds: number; cost: number };

/** Whole seconds until a refused call would be allowed if nothing else were taken meanwhile; at least 1. */
export function secondsUntilFree(counts: WindowCounts, { limit, windowSeconds, cost }: WindowLimit): number {
  if (cost > limit) return windowSeconds;
  const freeNow = limit - cost - counts.current;
  // Either the last window fades far enough, or the present one becomes the last and fades.
  const wait =
    freeNow >= 0
      ? windowSeconds * fadedPart(freeNow, counts.previous) - counts.elapsedSeconds
      : windowSeconds - counts.elapsedSeconds + windowSeconds * fadedPart(limit - cost, counts.current);
  return Math.max(1, Math.ceil(wait));
}

/** The fraction of a window after which `hits` count for no more than `most`. */
function fadedPart(most: number, hits: number): number {
  return hits <= most ? 0 : 1 - most / hits;
}

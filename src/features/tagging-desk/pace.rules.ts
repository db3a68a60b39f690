/** The speed of tagging: the last photos, without the pauses between them. */

const DECISIONS_KEPT = 40;
/** Fewer photos say nothing about the speed. */
const LEAST_PHOTOS = 5;
/** A longer pause does not count as tagging. */
const LONGEST_PAUSE_MS = 20_000;

/** How many photos were finished when, oldest first; epoch milliseconds. */
export type Pace = readonly { at: number; photos: number }[];

export function afterWork(pace: Pace, at: number, photos: number): Pace {
  return photos <= 0 ? pace : [...pace, { at, photos }].slice(-DECISIONS_KEPT);
}

/** Undone work does not count as finished. */
export function afterUndo(pace: Pace): Pace {
  return pace.slice(0, -1);
}

/** Photos a minute; null while there are too few. */
export function perMinute(pace: Pace): number | null {
  const photos = pace.slice(1).reduce((sum, work) => sum + work.photos, 0);
  if (photos < LEAST_PHOTOS - 1) return null;
  const ms = pace
    .slice(1)
    .reduce((sum, work, before) => sum + Math.min(LONGEST_PAUSE_MS, work.at - (pace[before]?.at ?? work.at)), 0);
  return ms <= 0 ? null : (photos / ms) * 60_000;
}

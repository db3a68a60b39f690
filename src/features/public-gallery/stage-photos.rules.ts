/** Which photo to load next, so that the neighbors of the photo on the stage are loaded before they are needed. */
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';

/** A photo with its neighbors, from the server. */
export type KnownPhoto = { photo: ShownPhoto; previousId: number; nextId: number };

/** How many quick steps may run ahead of what is loaded. */
const STEPS_AT_MOST = 60;

type StageState = {
  index: number;
  total: number;
  photoAt: (index: number) => { id: number } | null;
  known: ReadonlyMap<number, KnownPhoto>;
  /** Will be loaded with the list. */
  isComing: (index: number) => boolean;
};

/**
 * The id to request from the server: the photo on the stage, then the next and the previous one, step by step from the nearest
 * loaded photo. Null when all are loaded or loading.
 */
export function nextToLoad({ index, total, photoAt, known, isComing }: StageState): number | null {
  const around = (at: number) => ((at % total) + total) % total || 0;
  for (const wanted of [index, around(index + 1), around(index - 1)]) {
    if (photoAt(wanted) || isComing(wanted)) continue;
    for (let far = 1; far <= Math.min(STEPS_AT_MOST, total - 1); far++) {
      for (const [from, link] of [
        [around(wanted - far), 'nextId'],
        [around(wanted + far), 'previousId'],
      ] as const) {
        const photo = photoAt(from);
        if (photo) return known.get(from)?.[link] ?? photo.id;
      }
    }
  }
  return null;
}

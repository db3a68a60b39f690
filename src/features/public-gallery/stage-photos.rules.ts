/** Which photo is asked for next, so that the ones beside the photo on the stage are there before they are wanted. */
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';

/** A photo with its neighbors, as the server tells it. */
export type KnownPhoto = { photo: ShownPhoto; previousId: number; nextId: number };

/** Quick presses may run so far ahead of what is known. */
const STEPS_AT_MOST = 60;

type Question = {
  index: number;
  total: number;
  photoAt: (index: number) => { id: number } | null;
  known: ReadonlyMap<number, KnownPhoto>;
  /** Comes with the list. */
  isComing: (index: number) => boolean;
};

/**
 * The id to ask the server about: of the photo on the stage, then of the one behind it and the one before it. From the nearest
 * photo that is known it leads there step by step. Null when all are there or on their way.
 */
export function nextToAsk({ index, total, photoAt, known, isComing }: Question): number | null {
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

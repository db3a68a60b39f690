/** Bursts: photos that one camera took with pauses of at most two seconds (athletes B.3). */
import { BURST_GAP_MS } from '#src/features/tagging-desk/tagging-desk.contract.ts';

type Shot = { id: number; capturedAt: string | null; camera: string | null };

/** The bursts of a gallery: for each photo in a burst, the ids of all its photos in the order of the list. */
export type Bursts = ReadonlyMap<number, readonly number[]>;

/** Bursts of several cameras may overlap. A photo without a time or a camera is in no burst. */
export function burstsOf(photos: readonly Shot[]): Bursts {
  const cameras = new Map<string, { id: number; at: number; place: number }[]>();
  for (const [place, { id, capturedAt, camera }] of photos.entries()) {
    const at = capturedAt === null ? Number.NaN : Date.parse(`${capturedAt.replace(/(?:Z|[+-]\d\d:?\d\d)$/, '')}Z`);
    if (camera === null || Number.isNaN(at)) continue;
    const shots = cameras.get(camera);
    if (shots) shots.push({ id, at, place });
    else cameras.set(camera, [{ id, at, place }]);
  }
  const bursts = new Map<number, readonly number[]>();
  for (const shots of cameras.values()) {
    const inTime = shots.toSorted((one, other) => one.at - other.at || one.place - other.place);
    let start = 0;
    for (let end = 1; end <= inTime.length; end += 1) {
      const gap = (inTime[end]?.at ?? Infinity) - (inTime[end - 1]?.at ?? 0);
      if (gap <= BURST_GAP_MS) continue;
      const burst = inTime.slice(start, end).toSorted((one, other) => one.place - other.place);
      const ids = burst.map(({ id }) => id);
      if (ids.length > 1) for (const id of ids) bursts.set(id, ids);
      start = end;
    }
  }
  return bursts;
}

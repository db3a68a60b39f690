/** Loads photos in full by their ids, as they come into view. */
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { fetchFacts } from '#src/features/photos/photo-calls.client.ts';
import { MAX_FACTS_PER_CALL, type PhotoFact } from '#src/features/photos/photo-grid.contract.ts';

/** During fast scrolling, only what is still in view afterwards is loaded. */
const SETTLE_MS = 60;
const TRY_AGAIN_MS = 3_000;
/** How many photos are rendered together, some 400 elements; the next ones follow a frame later. */
const PORTION = 12;
const PORTION_MS = 16;

export type FactsStore = {
  facts: ReadonlyMap<number, PhotoFact>;
  /** The current data, also before the page is rendered again. */
  factOf: (id: number) => PhotoFact | undefined;
  /** Called with the ids in view; loads the missing ones. */
  onVisible: (ids: readonly number[]) => void;
  put: (photos: readonly PhotoFact[]) => void;
  change: (ids: ReadonlySet<number>, changes: Partial<PhotoFact>) => void;
  drop: (ids: ReadonlySet<number>) => void;
  /** Photos that are needed besides the grid: loaded and kept like those in view. */
  hold: (ids: readonly number[]) => void;
  /** Reloads these and those in view; all others when they come into view. */
  renew: (ids: ReadonlySet<number>) => Promise<void>;
};

/** Calls `onGone` for photos that the gallery no longer has. */
export function usePhotoFacts(
  galleryId: number,
  first: readonly PhotoFact[],
  onGone: (ids: ReadonlySet<number>) => void,
): FactsStore {
  const [facts, setFacts] = useState<ReadonlyMap<number, PhotoFact>>(() => new Map(first.map((one) => [one.id, one])));
  const known = useRef(facts);
  const inSight = useRef<readonly number[]>([]);
  const held = useRef<readonly number[]>([]);
  const isBusy = useRef(false);

  const set = useCallback((next: Map<number, PhotoFact>) => setFacts((known.current = next)), []);
  const put = useCallback(
    (photos: readonly PhotoFact[]) => set(new Map([...known.current, ...photos.map((one) => [one.id, one] as const)])),
    [set],
  );

  const fetchSome = useCallback(
    (ids: readonly number[], onFound: FactHandlers['onFound']) => fetchInTurn(galleryId, ids, { onFound, onGone }),
    [galleryId, onGone],
  );

  /** Until nothing in view is missing; what was scrolled past is skipped. */
  const fill = useCallback(async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    for (;;) {
      await pause(SETTLE_MS);
      const missing = [...held.current, ...inSight.current]
        .filter((id) => !known.current.has(id))
        .slice(0, MAX_FACTS_PER_CALL);
      if (missing.length === 0) break;
      if (!(await fetchSome(missing, (photos) => putInPortions(photos, put)))) await pause(TRY_AGAIN_MS);
    }
    isBusy.current = false;
  }, [fetchSome, put]);
  useEffect(
    () => () => {
      inSight.current = [];
      held.current = [];
    },
    [],
  );

  const fetchMissing = useCallback(
    (ids: readonly number[]) => {
      if (ids.some((id) => !known.current.has(id))) void fill();
    },
    [fill],
  );
  const onVisible = useCallback(
    (ids: readonly number[]) => {
      inSight.current = ids;
      fetchMissing(ids);
    },
    [fetchMissing],
  );
  const hold = useCallback(
    (ids: readonly number[]) => {
      held.current = ids;
      fetchMissing(ids);
    },
    [fetchMissing],
  );
  const factOf = useCallback((id: number) => known.current.get(id), []);

  const change = useCallback(
    (ids: ReadonlySet<number>, changes: Partial<PhotoFact>) =>
      put([...ids].flatMap((id) => [known.current.get(id) ?? []].flat()).map((fact) => ({ ...fact, ...changes }))),
    [put],
  );

  const drop = useCallback(
    (ids: ReadonlySet<number>) => set(new Map([...known.current].filter(([id]) => !ids.has(id)))),
    [set],
  );

  const renew = useCallback(
    async (ids: ReadonlySet<number>) => {
      const shown = new Set([...ids, ...held.current, ...inSight.current]);
      drop(new Set([...known.current.keys()].filter((id) => !shown.has(id))));
      // Immediately: a waiting portion could undo changes made meanwhile.
      await fetchSome([...shown], (photos) => startTransition(() => put(photos)));
    },
    [drop, fetchSome, put],
  );

  return { facts, factOf, onVisible, hold, put, change, drop, renew };
}

type FactHandlers = {
  onFound: (photos: readonly PhotoFact[]) => Promise<void> | void;
  onGone: (ids: ReadonlySet<number>) => void;
};

/** Rendering a hundred tiles together would block keys and clicks for a moment. */
async function putInPortions(photos: readonly PhotoFact[], put: FactsStore['put']): Promise<void> {
  for (let start = 0; start < photos.length; start += PORTION) {
    if (start > 0) await pause(PORTION_MS);
    startTransition(() => put(photos.slice(start, start + PORTION)));
  }
}

/** Loads them in calls of the maximum size, one after another. Returns whether all succeeded. */
async function fetchInTurn(
  galleryId: number,
  ids: readonly number[],
  { onFound, onGone }: FactHandlers,
): Promise<boolean> {
  for (let start = 0; start < ids.length; start += MAX_FACTS_PER_CALL) {
    const portion = ids.slice(start, start + MAX_FACTS_PER_CALL);
    const answer = await fetchFacts(galleryId, portion);
    if (!answer.ok) return false;
    await onFound(answer.data.photos);
    const there = new Set(answer.data.photos.map(({ id }) => id));
    const gone = new Set(portion.filter((id) => !there.has(id)));
    if (gone.size > 0) onGone(gone);
  }
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

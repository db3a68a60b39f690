/** A gallery's photos in the editor: all of them in few words, those in sight in full, kept up with what the worker and others do. */
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import {
  appendPage,
  EMPTY_LIST,
  passes,
  withAdded,
  withChanged,
  withCounted,
  withFreshHead,
  withMoved,
  without,
  withShown,
  type Cell,
  type EditorList,
} from '#src/features/photo-editor/editor-list.rules.ts';
import { useGalleryEvents, useGathered, useOwnUploads } from '#src/features/photo-editor/gallery-news.client.ts';
import { fetchLayout, type ListWish } from '#src/features/photos/photo-calls.client.ts';
import { usePhotoFacts, type FactsStore } from '#src/features/photos/photo-facts.client.ts';
import {
  FIRST_SHOW,
  MAX_LAYOUT_PER_PAGE,
  type PhotoFact,
  type PhotoLayout,
  type ShowCounts,
} from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

/** A filter answers with these first, and the rest follows. */
const FIRST_CELLS = 200;
/** Photos that others added are looked up after our own claims had time to be answered. */
const ADDED_MS = 1_500;
/** After the last news: one look for what they did not tell (order, keywords, placeholders). */
const CALM_MS = 3_000;
/** Notices can be missed; while something is being processed the page also looks on its own. */
const LOOK_MS = 10_000;

/** What the server draws the editor with: the first public photos, and how many each filter has. */
export type EditorStart = { photos: readonly PhotoAnswer[]; next: string | null; total: number; counts: ShowCounts };

export type EditorPhotos = Pick<FactsStore, 'facts' | 'look'> & {
  galleryId: number;
  wish: ListWish;
  /** Asks the server for another list; the old one stays until it answers. */
  choose: (wish: Partial<ListWish>) => void;
  cells: readonly Cell[];
  /** Of the list, also while not all cells are there. */
  shownTotal: number;
  counts: ShowCounts;
  /** Photos of the gallery that are none of the failed ones. */
  total: number;
  isComplete: boolean;
  isSwitching: boolean;
  problem: string | null;
  /** Asks again after a problem. */
  retry: () => void;
  /** What the server answered about one photo. */
  change: (id: number, changes: Partial<PhotoFact>) => void;
  /** The same of many; whether they are shown has its own call. */
  changeFacts: FactsStore['change'];
  /** Photos that were shown or hidden: they leave a filter that does not let them pass. */
  setShown: (ids: readonly number[], shown: boolean) => void;
  remove: (ids: readonly number[]) => void;
  /** On this page only; the server is told by the code that moves it. */
  move: (id: number, afterId: number) => void;
  /** Asks the server again: for the order from its beginning until all of `ids` have come by, and for what is in sight. */
  refresh: (ids?: readonly number[]) => void;
  /** Asks for the keywords of these and for the counts; the list stays as it is, also where it would let them go. */
  renew: (ids: readonly number[]) => void;
  /** Photos that are looked at beside the grid. */
  hold: (ids: readonly number[]) => void;
};

const FIRST_WISH: ListWish = { show: FIRST_SHOW, sort: 'custom', keyword: '' };

const cellOf = ({ id, width, height, show_in_gallery: shown, featured, status }: PhotoFact): Cell => ({
  id,
  ratio: width && height ? width / height : null,
  shown,
  featured,
  failed: status === 'failed',
});
const pageOf = ({ photos, next, total }: PhotoLayout): EditorList => ({ cells: photos, next, total });

/** One gallery's photos for its editor, in hooks that each keep one thing: the order, its freshness, changes made here, and news. */
export function useEditorPhotos(galleryId: number, first: EditorStart): EditorPhotos {
  const order = useOrder(galleryId, first);
  const store = usePhotoFacts(galleryId, first.photos, order.forget);
  const { refresh, renew } = useRefreshing(galleryId, order, store);
  const changes = useChanges(order, store);
  useNews(galleryId, { order, store, refresh, change: changes.change });
  const { list, wish, wanted, counts, problem, choose, retry } = order;
  return {
    galleryId,
    wish: wanted ?? wish,
    choose,
    cells: list.cells,
    shownTotal: list.total,
    counts,
    total: counts.default - counts.failed,
    isComplete: list.next === null,
    isSwitching: wanted !== null,
    problem,
    retry,
    facts: store.facts,
    look: store.look,
    changeFacts: store.change,
    hold: store.hold,
    ...changes,
    refresh,
    renew,
  };
}

type Order = ReturnType<typeof useOrder>;

/** The list that was asked for, loaded page after page in the background, and how many photos each filter has. */
function useOrder(galleryId: number, first: EditorStart) {
  const [wish, setWish] = useState(FIRST_WISH);
  const [list, setList] = useState<EditorList>(() => ({ ...first, cells: first.photos.map(cellOf) }));
  const [counts, setCounts] = useState(first.counts);
  const [problem, setProblem] = useState<string | null>(null);
  const [wanted, setWanted] = useState<ListWish | null>(null);
  const known = useRef({ list, wish, wanted: wish });
  // Answers to questions of an earlier list are not wanted any more.
  const turn = useRef(0);

  const put = useCallback((next: EditorList) => {
    known.current.list = next;
    setList(next);
  }, []);
  const forget = useCallback((ids: ReadonlySet<number>) => put(without(known.current.list, ids)), [put]);

  const { next } = list;
  useEffect(() => {
    if (next === null || problem !== null) return;
    const mine = turn.current;
    const asked = new AbortController();
    void fetchLayout(galleryId, { ...wish, after: next, limit: MAX_LAYOUT_PER_PAGE }).then((answer) => {
      if (asked.signal.aborted || mine !== turn.current || known.current.list.next !== next) return;
      if (answer.ok) startTransition(() => put(appendPage(known.current.list, pageOf(answer.data))));
      else setProblem(answer.error);
    });
    return () => asked.abort();
  }, [galleryId, wish, next, problem, put]);

  const choose = useCallback(
    async (changes: Partial<ListWish>) => {
      const wished = { ...known.current.wanted, ...changes };
      known.current.wanted = wished;
      const mine = ++turn.current;
      setWanted(wished);
      const answer = await fetchLayout(galleryId, { ...wished, after: null, limit: FIRST_CELLS });
      if (mine !== turn.current) return;
      setWanted(null);
      setProblem(answer.ok ? null : answer.error);
      if (!answer.ok) return void (known.current.wanted = known.current.wish);
      known.current.wish = wished;
      setWish(wished);
      put(pageOf(answer.data));
      if (answer.data.counts) setCounts(answer.data.counts);
    },
    [galleryId, put],
  );
  const retry = useCallback(() => setProblem(null), []);
  return { known, turn, list, put, forget, wish, wanted, choose, counts, setCounts, problem, retry };
}

/** Asks the server again for what the page has. */
function useRefreshing(galleryId: number, { known, turn, put, setCounts }: Order, { renew }: FactsStore) {
  const lookAgain = useCallback(
    async (ids: ReadonlySet<number>) => {
      const mine = turn.current;
      const missing = new Set(ids);
      let head = EMPTY_LIST;
      for (let after: string | null = null; ; after = head.next) {
        const answer = await fetchLayout(galleryId, { ...known.current.wish, after, limit: MAX_LAYOUT_PER_PAGE });
        if (!answer.ok || mine !== turn.current) return;
        head = appendPage({ ...head, total: answer.data.total }, pageOf(answer.data));
        if (answer.data.counts) setCounts(answer.data.counts);
        for (const { id } of answer.data.photos) missing.delete(id);
        // A photo that was removed, or that the filter keeps back, is never found.
        if (missing.size === 0 || head.next === null || head.cells.length > known.current.list.cells.length) break;
      }
      put(withFreshHead(known.current.list, head));
      await renew(ids);
    },
    [galleryId, known, turn, put, setCounts, renew],
  );

  const renewKeywords = useCallback(
    async (ids: readonly number[]) => {
      const [answer] = await Promise.all([
        fetchLayout(galleryId, { ...FIRST_WISH, after: null, limit: 1 }),
        renew(new Set(ids)),
      ]);
      if (answer.ok && answer.data.counts) setCounts(answer.data.counts);
    },
    [galleryId, renew, setCounts],
  );
  return { refresh: useGathered(lookAgain), renew: (ids: readonly number[]) => void renewKeywords(ids) };
}

/** What this page does to photos: shown at once, in the list and in the counts. */
function useChanges({ known, put, forget, setCounts }: Order, { change: changeFacts, factOf, drop }: FactsStore) {
  const change = useCallback(
    (id: number, changes: Partial<PhotoFact>) => {
      const { width, height, featured, status, keywords } = changes;
      const had = factOf(id)?.keywords;
      changeFacts(new Set([id]), changes);
      const before = known.current.list.cells.find((cell) => cell.id === id);
      if (before && status === 'failed' && !before.failed)
        setCounts((counted) => withCounted(withCounted(counted, [before], -1), [{ ...before, failed: true }], 1));
      if (keywords && had && (had.length === 0) !== (keywords.length === 0))
        setCounts((counted) => ({
          ...counted,
          withoutKeywords: Math.max(0, counted.withoutKeywords + (keywords.length === 0 ? 1 : -1)),
        }));
      put(
        withChanged(known.current.list, id, {
          ...(width && height ? { ratio: width / height } : {}),
          ...(featured === undefined ? {} : { featured }),
          ...(status === undefined ? {} : { failed: status === 'failed' }),
        }),
      );
    },
    [known, factOf, changeFacts, put, setCounts],
  );

  const setShown = useCallback(
    (ids: readonly number[], shown: boolean) => {
      const meant = new Set(ids);
      const { list: now, wish: current } = known.current;
      const changed = now.cells.filter((cell) => meant.has(cell.id) && cell.shown !== shown);
      changeFacts(meant, { show_in_gallery: shown, ...(shown ? {} : { featured: false }) });
      const leaving = changed.filter((cell) => !passes(current.show, { ...cell, shown })).map(({ id }) => id);
      put(without(withShown(now, meant, shown), new Set(leaving)));
      const then = changed.map((cell) => ({ ...cell, shown }));
      setCounts((before) => withCounted(withCounted(before, changed, -1), then, 1));
    },
    [known, changeFacts, put, setCounts],
  );

  const remove = useCallback(
    (ids: readonly number[]) => {
      const gone = new Set(ids);
      const cells = known.current.list.cells.filter(({ id }) => gone.has(id));
      setCounts((before) => withCounted(before, cells, -1));
      forget(gone);
      drop(gone);
    },
    [known, drop, forget, setCounts],
  );

  const move = useCallback(
    (id: number, afterId: number) => put(withMoved(known.current.list, id, afterId)),
    [known, put],
  );
  return { change, setShown, remove, move };
}

/** What this browser's uploads, the worker and others do meanwhile. */
function useNews(
  galleryId: number,
  { order, store, refresh, change }: { order: Order; store: FactsStore } & Pick<EditorPhotos, 'refresh' | 'change'>,
): void {
  const { known, put, setCounts } = order;
  useOwnUploads(galleryId, (arrived) => {
    const photos = arrived.filter((photo) => photo !== null);
    if (photos.length < arrived.length) refresh();
    const fresh = photos.filter(({ id }) => !known.current.list.cells.some((cell) => cell.id === id));
    const cells = fresh.map(cellOf);
    setCounts((before) => withCounted(before, cells, 1));
    store.put(photos);
    const { show, sort, keyword } = known.current.wish;
    // Where they stand among others by time, and whether a search finds them, the server knows.
    if (sort !== 'custom' || keyword !== '') return refresh();
    const passing = cells.filter((cell) => passes(show, cell));
    put(withAdded(known.current.list, passing));
  });

  const settling = useRef<{ ids: Set<number>; timer?: ReturnType<typeof setTimeout> }>({ ids: new Set() });
  useGalleryEvents(galleryId, (photo) => {
    if (photo.status === 'ready' || photo.status === 'failed') change(photo.id, photo);
    const isKnown = known.current.list.cells.some(({ id }) => id === photo.id);
    if (!isKnown || photo.status !== 'processing') settling.current.ids.add(photo.id);
    clearTimeout(settling.current.timer);
    settling.current.timer = setTimeout(
      () => {
        const { ids } = settling.current;
        settling.current = { ids: new Set() };
        refresh([...ids]);
      },
      isKnown ? CALM_MS : ADDED_MS,
    );
  });

  const processing = [...store.facts.values()].filter(({ status }) => status === 'processing');
  const waiting = processing.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (waiting === '') return;
    const timer = setInterval(() => refresh(waiting.split(' ').map(Number)), LOOK_MS);
    return () => clearInterval(timer);
  }, [waiting, refresh]);
}

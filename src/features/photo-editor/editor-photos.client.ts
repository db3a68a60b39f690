/**
 * A gallery's photos in the editor: the layout of all, full data of those in view, kept up to date with changes of the worker
 * and others.
 */
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
  type ListedPhoto,
  type EditorList,
} from '#src/features/photo-editor/editor-list.rules.ts';
import { useGalleryEvents, useGathered, useOwnUploads } from '#src/features/photo-editor/gallery-news.client.ts';
import { fetchLayout, type ListView } from '#src/features/photos/photo-calls.client.ts';
import { usePhotoFacts, type FactsStore } from '#src/features/photos/photo-facts.client.ts';
import {
  FIRST_SHOW,
  MAX_LAYOUT_PER_PAGE,
  type PhotoFact,
  type PhotoLayout,
  type ShowCounts,
} from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { useRepeated } from '#src/web/use-load.ts';

/** The first page of a filter; the rest follows. */
const FIRST_CELLS = 200;
/** Photos that others added are loaded after our own claims had time to be answered. */
const ADDED_MS = 1_500;
/** After the last event: one reload for what events do not contain (order, keywords, placeholders). */
const CALM_MS = 3_000;
/** Events can be missed, so the page also polls while something is being processed. */
const POLL_EVERY_MS = 10_000;

/** The server's data for the first render: the first public photos, and the count of each filter. */
export type EditorStart = { photos: readonly PhotoAnswer[]; next: string | null; total: number; counts: ShowCounts };

export type EditorPhotos = Pick<FactsStore, 'facts' | 'onVisible'> & {
  galleryId: number;
  view: ListView;
  /** Requests another list; the old one stays until the response. */
  choose: (view: Partial<ListView>) => void;
  cells: readonly ListedPhoto[];
  /** Of the list, also while not all cells are loaded. */
  shownTotal: number;
  counts: ShowCounts;
  /** Photos of the gallery without failed ones. */
  total: number;
  isComplete: boolean;
  isSwitching: boolean;
  problem: string | null;
  /** Retries after a problem. */
  retry: () => void;
  /** Applies the server's answer about one photo. */
  change: (id: number, changes: Partial<PhotoFact>) => void;
  /** The same for many; visibility has its own function. */
  changeFacts: FactsStore['change'];
  /** Photos that were shown or hidden: they leave a filter that excludes them. */
  setShown: (ids: readonly number[], shown: boolean) => void;
  remove: (ids: readonly number[]) => void;
  /** Only on this page; the caller sends it to the server. */
  move: (id: number, afterId: number) => void;
  /** Reloads the order from its start until all of `ids` were found, and what is in view. */
  refresh: (ids?: readonly number[]) => void;
  /** Reloads the keywords of these and the counts; the list stays, even if its filter would exclude them. */
  renew: (ids: readonly number[]) => void;
  /** Photos that are needed besides the grid. */
  hold: (ids: readonly number[]) => void;
};

const FIRST_VIEW: ListView = { show: FIRST_SHOW, sort: 'custom', keyword: '' };

const cellOf = ({ id, width, height, show_in_gallery: shown, featured, status }: PhotoFact): ListedPhoto => ({
  id,
  ratio: width && height ? width / height : null,
  shown,
  featured,
  failed: status === 'failed',
});
const pageOf = ({ photos, next, total }: PhotoLayout): EditorList => ({ cells: photos, next, total });

/**
 * One gallery's photos for its editor, in hooks that each have one task: the order, its freshness, changes made here, and news.
 */
export function useEditorPhotos(galleryId: number, first: EditorStart): EditorPhotos {
  const order = useOrder(galleryId, first);
  const store = usePhotoFacts(galleryId, first.photos, order.forget);
  const { refresh, renew } = useRefreshing(galleryId, order, store);
  const changes = useChanges(order, store);
  useNews(galleryId, { order, store, refresh, change: changes.change });
  const { list, view, nextView, counts, problem, choose, retry } = order;
  return {
    galleryId,
    view: nextView ?? view,
    choose,
    cells: list.cells,
    shownTotal: list.total,
    counts,
    total: counts.default - counts.failed,
    isComplete: list.next === null,
    isSwitching: nextView !== null,
    problem,
    retry,
    facts: store.facts,
    onVisible: store.onVisible,
    changeFacts: store.change,
    hold: store.hold,
    ...changes,
    refresh,
    renew,
  };
}

type Order = ReturnType<typeof useOrder>;

/** The requested list, loaded page after page in the background, and the count of each filter. */
function useOrder(galleryId: number, first: EditorStart) {
  const [view, setView] = useState(FIRST_VIEW);
  const [list, setList] = useState<EditorList>(() => ({ ...first, cells: first.photos.map(cellOf) }));
  const [counts, setCounts] = useState(first.counts);
  const [problem, setProblem] = useState<string | null>(null);
  /** Requested, until its response. */
  const [nextView, setNextView] = useState<ListView | null>(null);
  const known = useRef({ list, view, nextView: view });
  // Responses for an earlier list are discarded.
  const load = useRef(0);

  const put = useCallback((next: EditorList) => {
    known.current.list = next;
    setList(next);
  }, []);
  const forget = useCallback((ids: ReadonlySet<number>) => put(without(known.current.list, ids)), [put]);

  const { next } = list;
  useEffect(() => {
    if (next === null || problem !== null) return;
    const own = load.current;
    const controller = new AbortController();
    void fetchLayout(galleryId, { ...view, after: next, limit: MAX_LAYOUT_PER_PAGE }).then((answer) => {
      if (controller.signal.aborted || own !== load.current || known.current.list.next !== next) return;
      if (answer.ok) startTransition(() => put(appendPage(known.current.list, pageOf(answer.data))));
      else setProblem(answer.error);
    });
    return () => controller.abort();
  }, [galleryId, view, next, problem, put]);

  const choose = useCallback(
    async (changes: Partial<ListView>) => {
      const chosen = { ...known.current.nextView, ...changes };
      known.current.nextView = chosen;
      const own = ++load.current;
      setNextView(chosen);
      const answer = await fetchLayout(galleryId, { ...chosen, after: null, limit: FIRST_CELLS });
      if (own !== load.current) return;
      setNextView(null);
      setProblem(answer.ok ? null : answer.error);
      if (!answer.ok) return void (known.current.nextView = known.current.view);
      known.current.view = chosen;
      setView(chosen);
      put(pageOf(answer.data));
      if (answer.data.counts) setCounts(answer.data.counts);
    },
    [galleryId, put],
  );
  const retry = useCallback(() => setProblem(null), []);
  return { known, load, list, put, forget, view, nextView, choose, counts, setCounts, problem, retry };
}

/** Reloads what the page has. */
function useRefreshing(galleryId: number, { known, load, put, setCounts }: Order, { renew }: FactsStore) {
  const reloadUntilFound = useCallback(
    async (ids: ReadonlySet<number>) => {
      const own = load.current;
      const missing = new Set(ids);
      let head = EMPTY_LIST;
      for (let after: string | null = null; ; after = head.next) {
        const answer = await fetchLayout(galleryId, { ...known.current.view, after, limit: MAX_LAYOUT_PER_PAGE });
        if (!answer.ok || own !== load.current) return;
        head = appendPage({ ...head, total: answer.data.total }, pageOf(answer.data));
        if (answer.data.counts) setCounts(answer.data.counts);
        for (const { id } of answer.data.photos) missing.delete(id);
        // A photo that was removed, or that the filter excludes, is never found.
        if (missing.size === 0 || head.next === null || head.cells.length > known.current.list.cells.length) break;
      }
      put(withFreshHead(known.current.list, head));
      await renew(ids);
    },
    [galleryId, known, load, put, setCounts, renew],
  );

  const renewKeywords = useCallback(
    async (ids: readonly number[]) => {
      const [answer] = await Promise.all([
        fetchLayout(galleryId, { ...FIRST_VIEW, after: null, limit: 1 }),
        renew(new Set(ids)),
      ]);
      if (answer.ok && answer.data.counts) setCounts(answer.data.counts);
    },
    [galleryId, renew, setCounts],
  );
  return { refresh: useGathered(reloadUntilFound), renew: (ids: readonly number[]) => void renewKeywords(ids) };
}

/** Changes of this page: shown immediately, in the list and in the counts. */
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
      const { list: now, view: current } = known.current;
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

/** Changes by this browser's uploads, the worker and others. */
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
    const { show, sort, keyword } = known.current.view;
    // Only the server knows their position by time, and whether a search finds them.
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
  useRepeated(POLL_EVERY_MS, processing.length > 0 ? () => refresh(processing.map(({ id }) => id)) : null);
}

/** A gallery's photos in the editor: all of them in few words, those in sight in full, kept up with what the worker and others do. */
import { useCallback, useEffect, useRef, useState } from 'react';
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
} from '#src/features/photos/editor-list.rules.ts';
import { useGalleryEvents, useGathered, useOwnUploads } from '#src/features/photos/gallery-news.client.ts';
import { fetchLayout } from '#src/features/photos/many-photos.client.ts';
import { usePhotoFacts, type FactsStore } from '#src/features/photos/photo-facts.client.ts';
import {
  FIRST_SHOW,
  MAX_LAYOUT_PER_PAGE,
  type PhotoFact,
  type PhotoLayout,
  type PhotoShow,
  type ShowCounts,
} from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

/** A filter answers with these first, and the rest follows. */
const FIRST_CELLS = 200;
/** Photos that others added are looked up after our own claims had time to be answered. */
const ADDED_MS = 1_500;
/** After the last news: one look for what they did not tell (order, keywords, placeholders). */
const CALM_MS = 3_000;
/** Notices can be missed; while something is being processed the page also looks by itself. */
const LOOK_MS = 10_000;

/** What the server draws the editor with: the first public photos, and how many each filter has. */
export type EditorStart = { photos: readonly PhotoAnswer[]; next: string | null; total: number; counts: ShowCounts };

export type EditorPhotos = Pick<FactsStore, 'facts' | 'look'> & {
  galleryId: number;
  show: PhotoShow;
  /** Asks the server for another filter; the old list stays until it answers. */
  choose: (show: PhotoShow) => void;
  cells: readonly Cell[];
  /** Of the filter, also while not all cells are there. */
  shownTotal: number;
  counts: ShowCounts;
  /** Photos of the gallery. */
  total: number;
  isComplete: boolean;
  isSwitching: boolean;
  problem: string | null;
  /** Asks again after a problem. */
  retry: () => void;
  /** What the server answered about one photo. */
  change: (id: number, changes: Partial<PhotoFact>) => void;
  /** The same of many; whether they are shown has a call of its own. */
  changeFacts: FactsStore['change'];
  /** Photos that were shown or hidden: they leave a filter that does not let them pass. */
  setShown: (ids: readonly number[], shown: boolean) => void;
  remove: (ids: readonly number[]) => void;
  /** On this page only; the server is told by whoever moves it. */
  move: (id: number, afterId: number) => void;
  /** Asks the server again: for the order from its beginning until all of `ids` have come by, and for what is in sight. */
  refresh: (ids?: readonly number[]) => void;
};

const cellOf = ({ id, width, height, show_in_gallery: shown, featured }: PhotoFact): Cell => ({
  id,
  ratio: width && height ? width / height : null,
  shown,
  featured,
});
const pageOf = ({ photos, next, total }: PhotoLayout): EditorList => ({ cells: photos, next, total });

export function useEditorPhotos(galleryId: number, first: EditorStart): EditorPhotos {
  const [show, setShow] = useState<PhotoShow>(FIRST_SHOW);
  const [list, setList] = useState<EditorList>(() => ({ ...first, cells: first.photos.map(cellOf) }));
  const [counts, setCounts] = useState(first.counts);
  const [problem, setProblem] = useState<string | null>(null);
  const [wanted, setWanted] = useState<PhotoShow | null>(null);
  const known = useRef({ list, show });
  // Answers to questions of an earlier filter are not wanted any more.
  const turn = useRef(0);

  const put = useCallback((next: EditorList) => {
    known.current.list = next;
    setList(next);
  }, []);
  const forget = useCallback((ids: ReadonlySet<number>) => put(without(known.current.list, ids)), [put]);
  const {
    facts,
    look,
    put: putFacts,
    change: changeFacts,
    drop,
    renew,
  } = usePhotoFacts(galleryId, first.photos, forget);

  // The rest of the order, page after page, in the background.
  const { next } = list;
  useEffect(() => {
    if (next === null || problem !== null) return;
    const mine = turn.current;
    const asked = new AbortController();
    void fetchLayout(galleryId, { show, after: next, limit: MAX_LAYOUT_PER_PAGE }).then((answer) => {
      if (asked.signal.aborted || mine !== turn.current || known.current.list.next !== next) return;
      if (answer.ok) put(appendPage(known.current.list, pageOf(answer.data)));
      else setProblem(answer.error);
    });
    return () => asked.abort();
  }, [galleryId, show, next, problem, put]);

  const choose = useCallback(
    async (wish: PhotoShow) => {
      if (wish === known.current.show) return;
      const mine = ++turn.current;
      setWanted(wish);
      const answer = await fetchLayout(galleryId, { show: wish, after: null, limit: FIRST_CELLS });
      if (mine !== turn.current) return;
      setWanted(null);
      setProblem(answer.ok ? null : answer.error);
      if (!answer.ok) return;
      known.current.show = wish;
      setShow(wish);
      put(pageOf(answer.data));
      if (answer.data.counts) setCounts(answer.data.counts);
    },
    [galleryId, put],
  );

  const lookAgain = useCallback(
    async (ids: ReadonlySet<number>) => {
      const mine = turn.current;
      const missing = new Set(ids);
      let head = EMPTY_LIST;
      for (let after: string | null = null; ; after = head.next) {
        const answer = await fetchLayout(galleryId, { show: known.current.show, after, limit: MAX_LAYOUT_PER_PAGE });
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
    [galleryId, put, renew],
  );
  const refresh = useGathered(lookAgain);

  const change = useCallback(
    (id: number, changes: Partial<PhotoFact>) => {
      changeFacts(new Set([id]), changes);
      const { width, height, featured } = changes;
      put(
        withChanged(known.current.list, id, {
          ...(width && height ? { ratio: width / height } : {}),
          ...(featured === undefined ? {} : { featured }),
        }),
      );
    },
    [changeFacts, put],
  );

  const setShown = useCallback(
    (ids: readonly number[], shown: boolean) => {
      const meant = new Set(ids);
      const { list: now, show: filter } = known.current;
      const changed = now.cells.filter((cell) => meant.has(cell.id) && cell.shown !== shown).length;
      changeFacts(meant, { show_in_gallery: shown, ...(shown ? {} : { featured: false }) });
      put(passes(filter, { shown }) ? withShown(now, meant, shown) : without(now, meant));
      const step = shown ? changed : -changed;
      setCounts((before) => withCounted(before, { shown: step, hidden: -step }));
    },
    [changeFacts, put],
  );

  const remove = useCallback(
    (ids: readonly number[]) => {
      const gone = new Set(ids);
      const cells = known.current.list.cells.filter(({ id }) => gone.has(id));
      const shown = cells.filter((cell) => cell.shown).length;
      setCounts((before) => withCounted(before, { shown: -shown, hidden: shown - cells.length }));
      forget(gone);
      drop(gone);
    },
    [drop, forget],
  );

  const move = useCallback((id: number, afterId: number) => put(withMoved(known.current.list, id, afterId)), [put]);

  useOwnUploads(galleryId, (arrived) => {
    const photos = arrived.filter((photo) => photo !== null);
    if (photos.length < arrived.length) refresh();
    const fresh = photos.filter(({ id }) => !known.current.list.cells.some((cell) => cell.id === id));
    const shown = fresh.filter((photo) => photo.show_in_gallery).length;
    setCounts((before) => withCounted(before, { shown, hidden: fresh.length - shown }));
    putFacts(photos);
    const passing = fresh.map(cellOf).filter((cell) => passes(known.current.show, cell));
    put(withAdded(known.current.list, passing));
  });

  const settling = useRef<{ ids: Set<number>; timer: ReturnType<typeof setTimeout> | null }>({
    ids: new Set(),
    timer: null,
  });
  useGalleryEvents(galleryId, (photo) => {
    if (photo.status === 'ready' || photo.status === 'failed') change(photo.id, photo);
    const isKnown = known.current.list.cells.some(({ id }) => id === photo.id);
    if (!isKnown || photo.status !== 'processing') settling.current.ids.add(photo.id);
    if (settling.current.timer !== null) clearTimeout(settling.current.timer);
    settling.current.timer = setTimeout(
      () => {
        const { ids } = settling.current;
        settling.current = { ids: new Set(), timer: null };
        refresh([...ids]);
      },
      isKnown ? CALM_MS : ADDED_MS,
    );
  });

  const waiting = [...facts.values()]
    .filter(({ status }) => status === 'processing')
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (waiting === '') return;
    const timer = setInterval(() => refresh(waiting.split(' ').map(Number)), LOOK_MS);
    return () => clearInterval(timer);
  }, [waiting, refresh]);

  return {
    galleryId,
    show: wanted ?? show,
    choose,
    cells: list.cells,
    shownTotal: list.total,
    counts,
    total: counts.default,
    isComplete: list.next === null,
    isSwitching: wanted !== null,
    problem,
    retry: () => setProblem(null),
    facts,
    look,
    change,
    changeFacts,
    setShown,
    remove,
    move,
    refresh,
  };
}

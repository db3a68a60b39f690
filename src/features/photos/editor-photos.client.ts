/** A gallery's photos in the editor: loaded in portions, changed by their owner, and kept up with what the worker and others do. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { GALLERY_EVENTS } from '#src/features/galleries/galleries.contract.ts';
import { EDITOR_PHOTOS_AT_ONCE } from '#src/features/galleries/gallery-editor.contract.ts';
import {
  appendPage,
  withAdded,
  withChanged,
  withFreshHead,
  without,
  type EditorList,
} from '#src/features/photos/editor-list.rules.ts';
import type { PhotoAnswer, PhotosPage } from '#src/features/photos/photos.contract.ts';
import { uploadQueue } from '#src/features/photos/uploads.client.ts';
import { callApi } from '#src/web/api-client.ts';

/** What is asked for together is looked up together. */
const GATHER_MS = 700;
const ARRIVED_MS = 400;
/** Photos that others added are looked up after our own claims had time to be answered. */
const ADDED_MS = 1_500;
/** After the last news: one look for what they did not tell (order, keywords, placeholders). */
const CALM_MS = 3_000;
/** Notices can be missed; while something is being processed the page also looks by itself. */
const LOOK_MS = 10_000;
const HEAD_PAGE = 100;

export type EditorPhotos = EditorList & {
  isLoading: boolean;
  problem: string | null;
  more: () => Promise<void>;
  change: (id: number, changes: Partial<PhotoAnswer>) => void;
  remove: (id: number) => void;
  /** Asks the server again, from the first photo until all of `ids` have come by. */
  refresh: (ids?: readonly number[]) => void;
};

export function useEditorPhotos(galleryId: number, first: EditorList): EditorPhotos {
  const [list, setList] = useState(first);
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const known = useRef(list);
  const busy = useRef(false);

  const put = useCallback((next: EditorList) => setList((known.current = next)), []);
  const fetchPage = useCallback(
    (limit: number, after: string | null) => {
      const query = new URLSearchParams({ limit: String(limit), ...(after === null ? {} : { after }) });
      return callApi<PhotosPage>('GET', `/api/v1/galleries/${galleryId}/gallery_photos?${query}`);
    },
    [galleryId],
  );

  const more = useCallback(async () => {
    const { next } = known.current;
    if (busy.current || next === null) return;
    busy.current = true;
    setLoading(true);
    const answer = await fetchPage(EDITOR_PHOTOS_AT_ONCE, next);
    busy.current = false;
    setLoading(false);
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) put(appendPage(known.current, answer.data));
  }, [fetchPage, put]);

  const lookAgain = useCallback(
    async (ids: ReadonlySet<number>) => {
      const missing = new Set(ids);
      const head: PhotoAnswer[] = [];
      for (let after: string | null = null; ;) {
        const answer = await fetchPage(HEAD_PAGE, after);
        if (!answer.ok) return;
        for (const photo of answer.data.photos) {
          head.push(photo);
          missing.delete(photo.id);
        }
        after = answer.data.next;
        // A photo that was removed is never found: beyond what is shown nobody looks for it.
        if (missing.size === 0 || after === null || head.length >= known.current.photos.length + HEAD_PAGE) {
          put(withFreshHead(known.current, { photos: head, next: after, total: answer.data.total }));
          return;
        }
      }
    },
    [fetchPage, put],
  );
  const refresh = useGathered(lookAgain);

  // Photos that arrive together are drawn together: each moves all others.
  const arrived = useRef<{ photos: PhotoAnswer[]; timer: ReturnType<typeof setTimeout> | null }>({
    photos: [],
    timer: null,
  });
  useEffect(
    () =>
      uploadQueue().watchAdded((photo, id) => {
        if (id !== galleryId) return;
        if (!photo) return refresh();
        arrived.current.photos.push(photo);
        arrived.current.timer ??= setTimeout(() => {
          const { photos } = arrived.current;
          arrived.current = { photos: [], timer: null };
          put(withAdded(known.current, photos));
        }, ARRIVED_MS);
      }),
    [galleryId, put, refresh],
  );

  const settling = useRef<{ ids: Set<number>; timer: ReturnType<typeof setTimeout> | null }>({
    ids: new Set(),
    timer: null,
  });
  useGalleryEvents(galleryId, (photo) => {
    if (photo.status === 'ready' || photo.status === 'failed') put(withChanged(known.current, photo.id, photo));
    const isKnown = known.current.photos.some(({ id }) => id === photo.id);
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

  const waiting = list.photos
    .filter(({ status }) => status === 'processing')
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (waiting === '') return;
    const timer = setInterval(() => refresh(waiting.split(' ').map(Number)), LOOK_MS);
    return () => clearInterval(timer);
  }, [waiting, refresh]);

  const change = useCallback(
    (id: number, changes: Partial<PhotoAnswer>) => put(withChanged(known.current, id, changes)),
    [put],
  );
  const remove = useCallback((id: number) => put(without(known.current, id)), [put]);
  return { ...list, isLoading, problem, more, change, remove, refresh };
}

/** Calls `work` once for all ids that come within a moment, and never twice at a time. */
function useGathered(work: (ids: ReadonlySet<number>) => Promise<void>): (ids?: readonly number[]) => void {
  const state = useRef({ ids: new Set<number>(), isWanted: false, isRunning: false });
  return useCallback(
    async (more: readonly number[] = []) => {
      const gathering = state.current;
      for (const id of more) gathering.ids.add(id);
      gathering.isWanted = true;
      if (gathering.isRunning) return;
      gathering.isRunning = true;
      while (gathering.isWanted) {
        await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
        const { ids } = gathering;
        gathering.ids = new Set();
        gathering.isWanted = false;
        await work(ids);
      }
      gathering.isRunning = false;
    },
    [work],
  );
}

/** What an event says of a photo. */
type PhotoNews = Pick<PhotoAnswer, 'id'> &
  Partial<Pick<PhotoAnswer, 'status' | 'width' | 'height' | 'problem' | 'name'>>;

/** Follows the gallery's server-sent events; the browser connects again by itself. */
function useGalleryEvents(galleryId: number, onPhoto: (news: PhotoNews) => void): void {
  const heard = useEffectEvent((data: string) => {
    const { photo_id: id, ...news } = JSON.parse(data) as Record<string, unknown>;
    if (typeof id === 'number') onPhoto({ ...(news as Partial<PhotoNews>), id });
  });
  useEffect(() => {
    const source = new EventSource(`/api/v1/galleries/${galleryId}/events`);
    for (const name of GALLERY_EVENTS)
      source.addEventListener(name, (event: MessageEvent<string>) => heard(event.data));
    return () => source.close();
  }, [galleryId]);
}

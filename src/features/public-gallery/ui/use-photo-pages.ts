/**
 * The loaded photos of a gallery: ten with the page, ten more whenever the viewer nears the end, and one list per keyword.
 * While the server searches a keyword, the loaded photos are filtered.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { hasKeywords } from '#src/features/photos/keyword-search.rules.ts';
import { PHOTOS_PER_PAGE } from '#src/features/photos/photos.contract.ts';
import { showPhotos, type ShownPhotos } from '#src/features/photos/shown-photo.rules.ts';
import { api } from '#src/web/api-client.ts';

/** The maximum page size of the call. */
const MANY = 100;

type Lists = Readonly<Record<string, ShownPhotos>>;

/** The lists of galleries that this tab left: a visitor who returns finds the same position, however far down it was. */
const lastLists = new Map<number, Lists>();
const GALLERIES_KEPT = 3;

function remember(galleryId: number, lists: Lists): void {
  lastLists.delete(galleryId);
  lastLists.set(galleryId, lists);
  const [oldest] = lastLists.keys();
  if (lastLists.size > GALLERIES_KEPT && oldest !== undefined) lastLists.delete(oldest);
}

/** The stored lists, if they still start with the page's photos; else only those. */
function listsFrom(galleryId: number, keyword: string, first: ShownPhotos): Lists {
  const known = lastLists.get(galleryId);
  const own = known?.[keyword];
  const isSame =
    own !== undefined && own.total === first.total && first.photos.every(({ id }, at) => own.photos[at]?.id === id);
  if (!isSame) return { [keyword]: first };
  return { ...known, [keyword]: { ...own, photos: [...first.photos, ...own.photos.slice(first.photos.length)] } };
}

export type PhotoPages = ShownPhotos & {
  /** A request is running. */
  isLoading: boolean;
  /** The response for this keyword is loaded; before that, `total` counts only what was filtered. */
  isComplete: boolean;
  /** More photos will follow these. */
  goesOn: boolean;
  problem: string | null;
  more: () => Promise<void>;
  /** Loads until the photo at `index` (from 0) is loaded, or the list ends. */
  until: (index: number) => Promise<void>;
};

/** @param first the page's photos for `firstKeyword` */
export function usePhotoPages(
  galleryId: number,
  first: ShownPhotos,
  { firstKeyword, keyword }: { firstKeyword: string; keyword: string },
): PhotoPages {
  const [lists, setLists] = useState<Lists>(() => listsFrom(galleryId, firstKeyword, first));
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const known = useRef(lists);
  const busy = useRef<Promise<void> | null>(null);

  /** Loads the next page of a list; one call at a time, so that no page comes twice. */
  const fetchPage = useCallback(
    async (word: string, limit: number): Promise<void> => {
      while (busy.current) await busy.current;
      const list = known.current[word];
      if (list && list.next === null) return;
      const work = async () => {
        setLoading(true);
        const answer = await api('GET /api/v1/galleries/{id}/gallery_photos', {
          params: { id: galleryId },
          query: { limit, ...(list?.next ? { after: list.next } : {}), ...(word === '' ? {} : { keyword: word }) },
        });
        busy.current = null;
        setLoading(false);
        setProblem(answer.ok ? null : answer.error);
        if (!answer.ok) return;
        known.current = { ...known.current, [word]: joined(list, showPhotos(answer.data)) };
        remember(galleryId, known.current);
        setLists(known.current);
      };
      await (busy.current = work());
    },
    [galleryId],
  );

  const isComplete = lists[keyword] !== undefined;
  useEffect(() => {
    if (!isComplete) void fetchPage(keyword, PHOTOS_PER_PAGE);
  }, [isComplete, keyword, fetchPage]);

  const more = useCallback(() => fetchPage(keyword, PHOTOS_PER_PAGE), [fetchPage, keyword]);
  const until = useCallback(
    async (index: number) => {
      for (let before: ShownPhotos | undefined; ;) {
        const list = known.current[keyword];
        const count = list?.photos.length ?? 0;
        // No progress: the server was unreachable.
        if (!list || count > index || list.next === null || list === before) return;
        before = list;
        await fetchPage(keyword, index - count < PHOTOS_PER_PAGE ? PHOTOS_PER_PAGE : MANY);
      }
    },
    [fetchPage, keyword],
  );

  const list = lists[keyword] ?? filtered(lists[''], keyword);
  const goesOn = list.next !== null || (!isComplete && !problem && lists['']?.next !== null);
  return { ...list, isLoading, isComplete, goesOn, problem, more, until };
}

function joined(list: ShownPhotos | undefined, page: ShownPhotos): ShownPhotos {
  if (!list) return page;
  // A photo that was added meanwhile moves the others: none is shown twice.
  const ids = new Set(list.photos.map(({ id }) => id));
  return {
    photos: [...list.photos, ...page.photos.filter(({ id }) => !ids.has(id))],
    next: page.next,
    total: list.total,
  };
}

function filtered(all: ShownPhotos | undefined, keyword: string): ShownPhotos {
  const photos = (all?.photos ?? []).filter((photo) => hasKeywords(photo, keyword));
  return { photos, next: null, total: photos.length };
}

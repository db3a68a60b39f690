/** A contributor's own photos of a gallery: read, read again while they are being prepared, and taken back. */
import { useCallback, useEffect, useState } from 'react';
import type { OwnPhoto, OwnPhotosPage, WithdrawnAnswer } from '#src/features/contributors/contributions.contract.ts';
import { callApi, type ApiResult } from '#src/web/api-client.ts';

/** Photos are ready within seconds; later the page is simply not asked any more. */
const LOOK_AGAIN_MS = 3_000;
const LOOKS = 40;

type Asked = { galleryId: number; key: string };

/** The personal key goes as a header, so that it is in no address. */
const headersOf = ({ key }: Asked) => ({ 'x-contribute-key': key });

export function withdrawPhoto(asked: Asked, photoId: number): Promise<ApiResult<WithdrawnAnswer>> {
  return callApi('DELETE', `/api/v1/contributor/photos/${photoId}?gallery_id=${asked.galleryId}`, {
    headers: headersOf(asked),
  });
}

export type OwnPhotos = {
  photos: readonly OwnPhoto[];
  state: 'loading' | 'there' | 'failed';
  problem: string | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  more: () => void;
  refresh: () => void;
};

/** @param turn counts up when something new was sent */
export function useOwnPhotos({ galleryId, key }: Asked, turn: number): OwnPhotos {
  const [first, setFirst] = useState<OwnPhotosPage | null>(null);
  const [later, setLater] = useState<OwnPhotosPage[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [asks, setAsks] = useState(0);

  useEffect(() => {
    const leaving = new AbortController();
    read({ galleryId, key }, null, leaving.signal).then(
      (answer) => {
        if (leaving.signal.aborted) return;
        setProblem(answer.ok ? null : answer.error);
        if (!answer.ok) return;
        setFirst(answer.data);
        setLater([]);
      },
      () => undefined,
    );
    return () => leaving.abort();
  }, [galleryId, key, turn, asks]);

  const photos = [first, ...later].flatMap((page) => page?.photos ?? []);
  const isPreparing = photos.some(({ state }) => state === 'processing');
  useEffect(() => {
    if (!isPreparing || asks > LOOKS) return;
    const timer = setTimeout(() => setAsks((count) => count + 1), LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isPreparing, asks]);

  const next = (later.at(-1) ?? first)?.next ?? null;
  const more = async () => {
    if (next === null) return;
    setLoadingMore(true);
    const answer = await read({ galleryId, key }, next);
    setLoadingMore(false);
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) setLater((pages) => [...pages, answer.data]);
  };
  return {
    photos,
    state: first !== null ? 'there' : problem === null ? 'loading' : 'failed',
    problem,
    hasMore: next !== null,
    isLoadingMore,
    more: () => void more(),
    refresh: useCallback(() => setAsks((count) => count + 1), []),
  };
}

function read(asked: Asked, after: string | null, signal?: AbortSignal): Promise<ApiResult<OwnPhotosPage>> {
  const query = new URLSearchParams({ gallery_id: String(asked.galleryId), ...(after === null ? {} : { after }) });
  return callApi('GET', `/api/v1/contributor/photos?${query}`, {
    headers: headersOf(asked),
    ...(signal ? { signal } : {}),
  });
}

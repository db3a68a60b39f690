/** Changes that the worker and other editors make to a gallery while its editor is open. */
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { followGallery, moveToLast } from '#src/features/galleries/event-streams.client.ts';
import { uploadQueue } from '#src/features/uploads/uploads.client.ts';

/** Photos that arrive together are rendered together: each moves all others. */
const ARRIVED_MS = 400;
/** Requests within this time are combined. */
const GATHER_MS = 700;

/** The photo data of an event. */
type PhotoNews = Pick<PhotoAnswer, 'id'> &
  Partial<Pick<PhotoAnswer, 'status' | 'width' | 'height' | 'problem' | 'name'>>;

/** Follows the gallery's server-sent events. */
export function useGalleryEvents(galleryId: number, onPhoto: (news: PhotoNews) => void): void {
  const onData = useEffectEvent((data: string) => {
    const { photo_id: id, ...news } = JSON.parse(data) as Record<string, unknown>;
    if (typeof id === 'number') onPhoto({ ...(news as Partial<PhotoNews>), id });
  });
  useEffect(() => {
    return followGallery(galleryId, (data) => onData(data));
  }, [galleryId]);
}

/** Photos that this browser uploaded; null in the list when a response was lost. */
export function useOwnUploads(galleryId: number, onArrived: (photos: readonly (PhotoAnswer | null)[]) => void): void {
  const arrived = useEffectEvent(onArrived);
  useEffect(() => {
    let waiting: (PhotoAnswer | null)[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = uploadQueue().watchAdded((photo, id) => {
      if (id !== galleryId) return;
      moveToLast(galleryId);
      waiting.push(photo);
      timer ??= setTimeout(() => {
        const photos = waiting;
        [waiting, timer] = [[], null];
        arrived(photos);
      }, ARRIVED_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [galleryId]);
}

/** Calls `work` once for all ids that come within a moment, and never twice at a time. */
export function useGathered(work: (ids: ReadonlySet<number>) => Promise<void>): (ids?: readonly number[]) => void {
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

/** Results of uploads: the server makes pictures after a file was sent, and finds damaged files only then. */
import { fetchFacts } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

type Queue = {
  watchAdded: (listener: (photo: Pick<PhotoAnswer, 'id'> | null, galleryId: number) => void) => unknown;
  refuseAdded: (photoId: number, problem: string) => void;
};

export const POLL_EVERY_MS = 3_000;
/** Of those that take longer, the oldest are asked for first. */
const AT_ONCE = 100;

/** Asks for the photos of a queue until each is ready or has failed; the queue is notified of those that failed. */
export function followResults(queue: Queue): void {
  const open = new Map<number, Set<number>>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const pollLater = () => (timer ??= setTimeout(() => void poll(), POLL_EVERY_MS));

  async function pollGallery(galleryId: number, ids: Set<number>): Promise<void> {
    const polled = [...ids].slice(0, AT_ONCE);
    const answer = await fetchFacts(galleryId, polled);
    // Without a session or the gallery there is nothing to report; anything else is asked again.
    if (!answer.ok) return [401, 403, 404].includes(answer.status) ? ids.clear() : undefined;
    const processing = new Set<number>();
    for (const { id, status, problem } of answer.data.photos) {
      if (status === 'processing') processing.add(id);
      if (status === 'failed') queue.refuseAdded(id, problem ?? '');
    }
    for (const id of polled) if (!processing.has(id)) ids.delete(id);
  }

  async function poll(): Promise<void> {
    for (const [galleryId, ids] of open) {
      await pollGallery(galleryId, ids);
      if (ids.size === 0) open.delete(galleryId);
    }
    timer = null;
    if (open.size > 0) pollLater();
  }

  queue.watchAdded((photo, galleryId) => {
    if (photo === null) return;
    open.set(galleryId, (open.get(galleryId) ?? new Set()).add(photo.id));
    pollLater();
  });
}

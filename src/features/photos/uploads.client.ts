/** The one upload queue of this browser window, and how components watch it. */
import { useCallback, useSyncExternalStore } from 'react';
import { sendPhoto } from '#src/features/photos/send-photo.client.ts';
import { createUploadQueue, type UploadQueue } from '#src/features/photos/upload-queue.client.ts';
import type { UploadRow, UploadSummary } from '#src/features/photos/upload-summary.rules.ts';

let queue: UploadQueue | null = null;

/** Only in the browser: a server has no uploads. */
export function uploadQueue(): UploadQueue {
  if (queue) return queue;
  const created = createUploadQueue(sendPhoto);
  // Closing the window would lose what is not up yet.
  window.addEventListener('beforeunload', (event) => {
    if (created.isBusy()) event.preventDefault();
  });
  window.addEventListener('online', () => {
    if (!created.summary().isPaused) created.resume();
  });
  queue = created;
  return created;
}

/** Of the window's own queue unless another one is given. */
export function useUploadSummary(uploads: UploadQueue = uploadQueue()): UploadSummary {
  return useSyncExternalStore(uploads.watchSummary, uploads.summary);
}

/** Redraws only when this row changes. */
export function useUploadRow(id: number, uploads: UploadQueue = uploadQueue()): UploadRow | undefined {
  const watch = useCallback((listener: () => void) => uploads.watchRow(id, listener), [uploads, id]);
  return useSyncExternalStore(watch, () => uploads.row(id));
}

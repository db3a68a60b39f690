/** The upload queue of this browser window, its storage, and hooks to watch it. */
import { useCallback, useSyncExternalStore } from 'react';
import { AUTH_KEY, LOGGED_IN_AGAIN, LOGOUTS } from '#src/features/accounts/auth-state.client.ts';
import { rememberForPreview } from '#src/features/uploads/local-previews.client.ts';
import { sendPhoto } from '#src/features/uploads/send-photo.client.ts';
import { inspectPhotos } from '#src/features/uploads/upload-inspection.client.ts';
import { forgetStored, openKeeping } from '#src/features/uploads/upload-keeper.client.ts';
import { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import { followResults } from '#src/features/uploads/upload-results.client.ts';
import type { UploadRow, UploadSummary } from '#src/features/uploads/upload-summary.rules.ts';
import { KEEPS_NOTHING, UPLOAD_SUCCESSFUL } from '#src/features/uploads/upload-tray.contract.ts';
import { showToast } from '#src/ui/toast.ts';

let queue: UploadQueue | null = null;
let owner: number | null = null;

/** Only in the browser: a server has no uploads. */
export function uploadQueue(): UploadQueue {
  if (queue) return queue;
  const created = new UploadQueue(sendPhoto, { inspect: inspectPhotos });
  created.watchAdded((photo, _galleryId, file) => {
    if (photo && file) rememberForPreview(photo.id, file);
  });
  followResults(created);
  keepAwake(created);
  created.watchDone((_added, left) => {
    if (left === 0) showToast(UPLOAD_SUCCESSFUL, 'success');
  });
  // Closing the window would stop unfinished uploads.
  window.addEventListener('beforeunload', (event) => {
    if (created.isBusy()) event.preventDefault();
  });
  window.addEventListener('online', () => created.tryAgain());
  window.addEventListener('offline', () => created.offline());
  // Someone logged in, perhaps in another tab.
  window.addEventListener('storage', (event) => {
    if (event.key === AUTH_KEY && event.newValue !== null) created.tryAgain();
  });
  window.addEventListener(LOGGED_IN_AGAIN, () => created.tryAgain());
  new BroadcastChannel(LOGOUTS).addEventListener('message', () => endUploads());
  queue = created;
  return created;
}

/** Continues what this browser stores for the signed-in user; uploads of someone else are stopped and deleted. */
export async function openUploads(userId: number): Promise<void> {
  if (owner === userId) return uploadQueue().tryAgain();
  if (owner !== null) endUploads();
  owner = userId;
  const uploads = uploadQueue();
  const isOpen = await openKeeping(userId, {
    onAdopted(keeper, adopted) {
      if (owner !== userId) return;
      uploads.storeIn(keeper);
      uploads.restore(adopted);
    },
    onTrouble(keeper) {
      if (owner === userId) uploads.storeIn(keeper);
    },
  });
  if (!isOpen && owner === userId) uploads.storeIn(null, KEEPS_NOTHING);
}

/** At logout, in every window: no upload continues for someone else, and nothing of theirs stays here. */
export async function forgetUploads(): Promise<void> {
  new BroadcastChannel(LOGOUTS).postMessage('logged out');
  endUploads();
  await forgetStored();
}

function endUploads(): void {
  owner = null;
  queue?.cancelAll();
  queue?.storeIn(null);
}

/** Of the window's own queue by default. */
export function useUploadSummary(uploads: UploadQueue = uploadQueue()): UploadSummary {
  return useSyncExternalStore(uploads.watchSummary, uploads.summary);
}

/** Renders only when this row changes. */
export function useUploadRow(id: number, uploads: UploadQueue = uploadQueue()): UploadRow | undefined {
  const watch = useCallback((listener: () => void) => uploads.watchRow(id, listener), [uploads, id]);
  return useSyncExternalStore(watch, () => uploads.row(id));
}

type Watched = { isBusy: () => boolean; watchSummary: (listener: () => void) => () => void };

/**
 * Keeps the screen on while the queue works and the page is visible; returns a function that stops it. Does nothing with a
 * mouse.
 */
export function keepAwake(queue: Watched): () => void {
  if (!('wakeLock' in navigator) || !window.matchMedia('(pointer: coarse)').matches) return () => undefined;
  let lock: WakeLockSentinel | null = null;
  let isAsking = false;

  async function follow(): Promise<void> {
    const isWanted = queue.isBusy() && document.visibilityState === 'visible';
    if (!isWanted) {
      const held = lock;
      lock = null;
      await held?.release();
    } else if (!isAsking && (lock === null || lock.released)) {
      isAsking = true;
      // Refused with a low battery, for example.
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      isAsking = false;
      if (!queue.isBusy()) await follow();
    }
  }
  const onChange = () => void follow();
  // The browser releases the lock whenever the page is hidden.
  document.addEventListener('visibilitychange', onChange);
  const stop = queue.watchSummary(onChange);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', onChange);
    void lock?.release();
    lock = null;
  };
}

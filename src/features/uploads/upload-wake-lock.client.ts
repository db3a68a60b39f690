/** Phones stay awake while photos go up: a screen that goes dark stops them. Where that cannot be had, they go on later. */

type Watched = { isBusy: () => boolean; watchSummary: (listener: () => void) => () => void };

/** Holds the screen while the queue is at work and the page is seen; answers how to stop. Does nothing with a mouse. */
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
      // Refused with a low battery, for one.
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      isAsking = false;
      if (!queue.isBusy()) await follow();
    }
  }
  const hear = () => void follow();
  // The browser takes the lock back whenever the page is hidden.
  document.addEventListener('visibilitychange', hear);
  const stop = queue.watchSummary(hear);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', hear);
    void lock?.release();
    lock = null;
  };
}

const PARENT_CHECK_MS = 1_000;

/**
 * Calls `stop` when the npm that started this process has ended: a killed `npm start` must not leave a server on its
 * port. Outside npm the parent may end (a daemon's does).
 */
export function stopWithNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/**
 * V8 collects garbage when it needs space, so an idle process would permanently keep what its start, or its last busy
 * hour, left behind: a third of its memory (speed P17).
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const POLL_EVERY_MS = 5_000;
/** Below this share of the time the process counts as idle. */
const QUIET = 0.05;

/** V8's own full collection. The flag makes it visible in contexts that are created afterwards. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Collects once after each busy period, the start included. Returns a function that stops it. */
export function collectWhenQuiet({ collect = collectGarbage } = {}): () => void {
  let before = performance.eventLoopUtilization();
  let wasBusy = true;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization >= QUIET) wasBusy = true;
    else if (wasBusy) {
      wasBusy = false;
      collect();
      // Collecting itself does not count as work.
      before = performance.eventLoopUtilization();
    }
  }, POLL_EVERY_MS).unref();
  return () => clearInterval(timer);
}

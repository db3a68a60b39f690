/**
 * How late the turns of a process's event loop are, measured only while it has work: a timer that always runs costs
 * more than all that a process at rest does (decision record 0183).
 */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

const EVERY_MS = 100;
/** Work leaves something behind, such as garbage; and `lag.ts`, which looks every half second, sees a short turn. */
const TURNS_AFTER_WORK = 6;

type DelayOptions = {
  /**
   * Called about ten times a second while there is work, with the milliseconds since the last call. True: it must be
   * called again, also without work.
   */
  onTurn?: ((turnMs: number) => boolean) | undefined;
  /** Milliseconds on a monotonic clock. */
  now?: () => number;
};

/** Counts the work of a process, and measures from the beginning of the first until some half a second after the last. */
export function measureDelay({ onTurn, now = () => performance.now() }: DelayOptions = {}) {
  /** In nanoseconds. */
  const delays: RecordableHistogram = createHistogram();
  let timer: NodeJS.Timeout | null = null;
  let open = 0;
  let turnsAfterWork = 0;
  let turnedAt = 0;

  function turn(): void {
    const turnMs = now() - turnedAt;
    turnedAt += turnMs;
    delays.record(Math.max(1, Math.round((turnMs - EVERY_MS) * 1e6)));
    const isWatched = onTurn?.(turnMs) === true;
    turnsAfterWork = open > 0 || isWatched ? 0 : turnsAfterWork + 1;
    if (turnsAfterWork < TURNS_AFTER_WORK || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return {
    delays,
    /** A request, a job or an email has begun (1) or ended (-1). */
    count(change: 1 | -1): void {
      open += change;
      turnsAfterWork = 0;
      if (timer !== null) return;
      turnedAt = now();
      timer = setInterval(turn, EVERY_MS).unref();
    },
  };
}

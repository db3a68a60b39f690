/** Detects when a process lags: its event loop takes so long for each turn that further requests make it worse (fault F36). */
import type { Logger } from 'pino';

/** At most half of the longest turn: then a gap between two checks above the longest turn is one turn. */
const LOOKS_A_TURN = 2;
const LONGEST_TURN_MS = 1_000;
/**
 * One long turn is a garbage collection, one large request or a machine that slept; it is over when it is noticed, and
 * requests that waited meanwhile are served. Two in a row are more work than the process can do.
 */
const TURNS_IN_A_ROW = 2;

type LagOptions = {
  log: Pick<Logger, 'warn' | 'info'>;
  longestTurnMs?: number;
  /** Milliseconds on a monotonic clock. */
  now?: () => number;
};

/** Checks the event loop twice a second until `end`; asking whether it lags costs nothing. */
export function watchLag({ log, longestTurnMs = LONGEST_TURN_MS, now = () => performance.now() }: LagOptions) {
  let lookedAt = now();
  let longInARow = 0;
  let shortInARow = 0;
  let isLagging = false;

  function look(): void {
    const turnMs = now() - lookedAt;
    lookedAt += turnMs;
    const isLong = turnMs > longestTurnMs;
    longInARow = isLong ? longInARow + 1 : 0;
    shortInARow = isLong ? 0 : shortInARow + 1;
    if (!isLagging && longInARow >= TURNS_IN_A_ROW) {
      isLagging = true;
      log.warn({ turnMs: Math.round(turnMs) }, 'the process lags: requests are refused');
    } else if (isLagging && shortInARow >= LOOKS_A_TURN) {
      isLagging = false;
      log.info('the process no longer lags: requests are served again');
    }
  }

  const timer = setInterval(look, longestTurnMs / LOOKS_A_TURN).unref();
  return { isLagging: () => isLagging, end: () => clearInterval(timer) };
}

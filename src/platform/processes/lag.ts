/** Detects when a process lags: its event loop takes so long for each turn that further requests make it worse (fault F36). */
import type { Logger } from 'pino';

/** At most half of the longest turn: then a gap between two checks above the longest turn is one turn. */
const CHECKS_A_TURN = 2;
const LONGEST_TURN_MS = 1_000;
/**
 * A long turn in which this thread worked for less than this is a machine that gave its processors to others: requests
 * wait, but refusing them would not shorten the next turn.
 */
const LEAST_WORK_MS = LONGEST_TURN_MS / 2;
/**
 * One long turn is a garbage collection, one large request or a machine that slept; it is over when it is noticed, and
 * requests that waited meanwhile are served. Two in a row are more work than the process can do.
 */
const TURNS_IN_A_ROW = 2;

type LagOptions = {
  log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds of CPU that this thread has used. */
  worked?: () => number;
};

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Checks the turns of the event loop that are reported to it, twice a second; asking whether it lags costs nothing. */
export function watchLag({ log, worked = cpuOfThread }: LagOptions) {
  let turnMs = 0;
  let workedBefore = worked();
  let longInARow = 0;
  let shortInARow = 0;
  let isLagging = false;

  function check(): void {
    const workMs = worked() - workedBefore;
    workedBefore += workMs;
    const isLong = turnMs > LONGEST_TURN_MS && workMs >= LEAST_WORK_MS;
    longInARow = isLong ? longInARow + 1 : 0;
    shortInARow = isLong ? 0 : shortInARow + 1;
    if (!isLagging && longInARow >= TURNS_IN_A_ROW) {
      isLagging = true;
      log.warn({ turnMs: Math.round(turnMs), workMs: Math.round(workMs) }, 'the process lags: requests are refused');
    } else if (isLagging && shortInARow >= CHECKS_A_TURN) {
      isLagging = false;
      log.info('the process no longer lags: requests are served again');
    }
  }

  return {
    isLagging: () => isLagging,
    /** The event loop came back after this time; returns whether the process lags. */
    onTurn(ms: number): boolean {
      turnMs += ms;
      if (turnMs >= LONGEST_TURN_MS / CHECKS_A_TURN) {
        check();
        turnMs = 0;
      }
      return isLagging;
    },
  };
}

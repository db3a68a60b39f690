/**
 * Stops asking a database that hangs: after one connection that timed out, others are refused at
 * once for a second, then a single probe goes ahead (fault F15). Refused connections need no circuit:
 * they fail fast by themselves.
 */
export type Circuit = {
  /** True when a connection may be tried now. */
  mayTry(): boolean;
  succeeded(): void;
  timedOut(): void;
};

/** @param pauseMs how long to leave the database alone @param now injected in tests */
export function createCircuit(pauseMs = 1000, now: () => number = Date.now): Circuit {
  let closedUntil = 0;
  let isOpen = false;
  return {
    mayTry() {
      if (!isOpen) return true;
      if (now() < closedUntil) return false;
      // This caller is the probe; the others wait for what it finds.
      closedUntil = now() + pauseMs;
      return true;
    },
    succeeded() {
      isOpen = false;
    },
    timedOut() {
      isOpen = true;
      closedUntil = now() + pauseMs;
    },
  };
}

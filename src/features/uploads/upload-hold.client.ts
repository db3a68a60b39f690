/**
 * Why no upload is started right now: the network is away (one photo tries again now and then, later each time), or the
 * session is (nothing is tried until someone logs in).
 */
import { LONGEST_WAIT_SECONDS } from '#src/features/uploads/upload-tray.contract.ts';
import type { UploadHold } from '#src/features/uploads/upload-summary.rules.ts';

type Held = { why: UploadHold; tries: number; until: number; probe: number | null };

export function createUploadHold() {
  let held: Held | null = null;

  return {
    why: (): UploadHold | null => held?.why ?? null,

    /** How many photos may be started. */
    allows(now: number): number {
      if (held === null) return Number.POSITIVE_INFINITY;
      return held.until <= now ? 1 : 0;
    },

    /** When the next one may try. */
    wakesAt: (now: number): number => (held === null || held.until <= now ? Number.POSITIVE_INFINITY : held.until),

    /** A photo that is started while things are held tries for all. */
    started(id: number, now: number): void {
      if (held) held = { ...held, probe: id, until: now + LONGEST_WAIT_SECONDS * 1_000 };
    },

    /** `by` found it away; null when the browser said so. Those that were under way together count once. */
    put(why: UploadHold, { by, seconds, now }: { by: number | null; seconds: number | null; now: number }): void {
      if (held?.why === why && held.probe !== by) return;
      const tries = held?.why === why ? held.tries + 1 : 1;
      const wait = Math.max(seconds ?? 0, Math.min(LONGEST_WAIT_SECONDS, 2 ** tries));
      const until = why === 'session' ? Number.POSITIVE_INFINITY : now + wait * 1_000;
      held = { why, tries, until, probe: null };
    },

    /** Returns whether there was anything to release. */
    release(): boolean {
      const was = held !== null;
      held = null;
      return was;
    },
  };
}

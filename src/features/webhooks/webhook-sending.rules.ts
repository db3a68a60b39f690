/** When a message is sent again, when an endpoint is paused, and what is stored of a response. */
import { ANSWER_CHARACTERS } from '#src/features/webhooks/webhooks.contract.ts';

/** An attempt ends after this long. */
export const ATTEMPT_MS = 10_000;
/** An endpoint that answers later than this is slow. */
export const SLOW_MS = 2_000;
/** The last pause repeats until four days are over (`give_up_at`). */
const PAUSES_SECONDS = [5, 60, 300, 1_800, 7_200, 21_600, 43_200];
/** An endpoint that always fails is tried at least this often while messages wait, so that it soon gets what it missed. */
const LONGEST_PAUSE_OF_ENDPOINT_SECONDS = 900;

/** How long a message waits after this many failed attempts, plus a random part (`chance` from 0 to 1). */
export function pauseAfter(attempts: number, chance: number): number {
  const pause = PAUSES_SECONDS[Math.min(attempts, PAUSES_SECONDS.length) - 1] ?? 0;
  return pause * (1 + 0.2 * chance);
}

/** How long an endpoint is not called after this many failed rounds. */
export function pauseOfEndpoint(failures: number): number {
  return Math.min(pauseAfter(failures, 0), LONGEST_PAUSE_OF_ENDPOINT_SECONDS);
}

/** An endpoint that fails for this long is switched off. */
export const PAUSED_AFTER_SECONDS = 3 * 86_400;
/** "Gone": this receiver refuses messages permanently. */
export const GONE = 410;

export const isDelivered = (status: number): boolean => status >= 200 && status < 300;

// oxlint-disable-next-line no-control-regex -- the control characters to remove
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The beginning of a response, as text that can be stored and shown. */
export function shortened(answer: string): string {
  const text = answer.replaceAll(CONTROL, '').toWellFormed().trim();
  return text.length <= ANSWER_CHARACTERS ? text : `${text.slice(0, ANSWER_CHARACTERS - 1).toWellFormed()}…`;
}

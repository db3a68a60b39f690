/** The expiration of links. */
import { EXPIRY_PAST, EXPIRY_TOO_LATE } from '#src/features/collaborators/collaborators.contract.ts';
import { DAY_MS, momentAt } from '#src/shared/dates.ts';

const LONGEST_MS = 5 * 366 * DAY_MS;

/** The time of a given end: a day counts completely, in the organization's time zone. */
export function endOf(text: string, timeZone: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? momentAt(new Date(Date.parse(text) + DAY_MS), timeZone) : new Date(text);
}

/** The problem of an end; null without one. */
export function refusalOfEnd(end: Date, now: Date): string | null {
  if (end.getTime() <= now.getTime()) return EXPIRY_PAST;
  return end.getTime() > now.getTime() + LONGEST_MS ? EXPIRY_TOO_LATE : null;
}

/** The address after which a list of people continues; empty for its start. */
export function readLastAddress(after: string | undefined): string {
  return after === undefined || after.length > 254 ? '' : after;
}

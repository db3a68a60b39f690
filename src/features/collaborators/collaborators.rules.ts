/** The expiration of links. */
import { EXPIRY_PAST, EXPIRY_TOO_LATE } from '#src/features/collaborators/collaborators.contract.ts';
import { DAY_MS } from '#src/shared/dates.ts';

const LONGEST_MS = 5 * 366 * DAY_MS;

/** The time of a given end: a day counts completely, in the organization's time zone. */
export function endOf(text: string, timeZone: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? startOfDay(new Date(Date.parse(text) + DAY_MS), timeZone) : new Date(text);
}

/** The problem of an end; null without one. */
export function refusalOfEnd(end: Date, now: Date): string | null {
  if (end.getTime() <= now.getTime()) return EXPIRY_PAST;
  return end.getTime() > now.getTime() + LONGEST_MS ? EXPIRY_TOO_LATE : null;
}

/** @param day midnight of the day in UTC */
function startOfDay(day: Date, timeZone: string): Date {
  const guess = new Date(day.getTime() - offsetAt(day, timeZone));
  // Computed again, because the guess may be on the other side of a clock change.
  return new Date(day.getTime() - offsetAt(guess, timeZone));
}

/** Milliseconds that the time zone is ahead of UTC. */
function offsetAt(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(moment.getTime() / 1_000) * 1_000;
}

/** The address after which a list of people continues; empty for its start. */
export function readLastAddress(after: string | undefined): string {
  return after === undefined || after.length > 254 ? '' : after;
}

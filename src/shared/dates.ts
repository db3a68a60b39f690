/**
 * Days and times as pages and emails write them (rule 55): 11.21.2026, 2:21 AM. Days are those of a time zone: an
 * evening game in New York is not tomorrow. Only the platform's admin report uses dd-MM-yyyy (`day-range.ts`).
 */
export const DEFAULT_TIME_ZONE = 'America/New_York';

/** Milliseconds in 24 hours; a day of a time zone may have 23 or 25. */
export const DAY_MS = 86_400_000;
export const DAY_SECONDS = 86_400;
export const HOUR_SECONDS = 3_600;

type Parts = { year: string; month: string; day: string };

const formats = new Map<string, Intl.DateTimeFormat>();

const MINUTE_MS = 60_000;
/** The last result for each zone: days begin on a minute, and formatting costs more than pricing a cart. */
const lastParts = new Map<string, { minute: number; parts: Parts }>();

function partsOf(moment: Date, timeZone: string): Parts {
  const minute = Math.floor(moment.getTime() / MINUTE_MS);
  const last = lastParts.get(timeZone);
  if (last?.minute === minute) return last.parts;
  const parts = formatted(moment, timeZone);
  lastParts.set(timeZone, { minute, parts });
  return parts;
}

function formatted(moment: Date, timeZone: string): Parts {
  let format = formats.get(timeZone);
  if (!format)
    formats.set(
      timeZone,
      (format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })),
    );
  const parts = format.formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return { year: part('year').padStart(4, '0'), month: part('month'), day: part('day') };
}

/** "11.21.2026", as pages and emails show a day. */
export function publicDay(moment: Date, timeZone = DEFAULT_TIME_ZONE): string {
  const { year, month, day } = partsOf(moment, timeZone);
  return `${month}.${day}.${year}`;
}

/** "2026-11-21", for the `datetime` of a `time` element. */
export function machineDay(moment: Date, timeZone = DEFAULT_TIME_ZONE): string {
  const { year, month, day } = partsOf(moment, timeZone);
  return `${year}-${month}-${day}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** "11.21.2026, 2:21 AM": built from parts, because servers and browsers differ in the space before AM. */
export function publicMoment(moment: Date, timeZone = DEFAULT_TIME_ZONE): string {
  let clock = clocks.get(timeZone);
  if (!clock)
    clocks.set(
      timeZone,
      (clock = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', hourCycle: 'h12' })),
    );
  const parts = clock.formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${publicDay(moment, timeZone)}, ${part('hour')}:${part('minute')} ${part('dayPeriod')}`;
}

/** What the clocks of the time zone show at a moment: the fields of the result in UTC. */
export function clockAt(moment: Date, timeZone: string): Date {
  return new Date(moment.getTime() + offsetAt(moment, timeZone));
}

/** When the clocks of the time zone show `clock`, the fields of which are in UTC. */
export function momentAt(clock: Date, timeZone: string): Date {
  const guess = new Date(clock.getTime() - offsetAt(clock, timeZone));
  // Computed again, because the guess may be on the other side of a clock change.
  return new Date(clock.getTime() - offsetAt(guess, timeZone));
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

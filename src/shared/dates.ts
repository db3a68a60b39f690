/** Days as the specification writes them. Days are those of a time zone: an evening game in New York is not tomorrow. */
export const DEFAULT_TIME_ZONE = 'America/New_York';

type Parts = { year: string; month: string; day: string };

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(moment: Date, timeZone: string): Parts {
  let format = formats.get(timeZone);
  if (!format)
    formats.set(
      timeZone,
      (format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })),
    );
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    format.formatToParts(moment).find((one) => one.type === type)?.value ?? '';
  return { year: part('year').padStart(4, '0'), month: part('month'), day: part('day') };
}

/** "11.21.2026", as public pages show a day. */
export function publicDay(moment: Date, timeZone = DEFAULT_TIME_ZONE): string {
  const { year, month, day } = partsOf(moment, timeZone);
  return `${month}.${day}.${year}`;
}

/** "2026-11-21", for the `datetime` of a `time` element. */
export function machineDay(moment: Date, timeZone = DEFAULT_TIME_ZONE): string {
  const { year, month, day } = partsOf(moment, timeZone);
  return `${year}-${month}-${day}`;
}

import { DEFAULT_TIME_ZONE } from '#src/shared/dates.ts';

const format = new Intl.DateTimeFormat('en-US', {
  timeZone: DEFAULT_TIME_ZONE,
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** A moment as the office reads it: "Nov 21, 2026, 3:23 AM", in the platform's own time zone on every machine. */
export function momentText(iso: string): string {
  return format.format(new Date(iso));
}

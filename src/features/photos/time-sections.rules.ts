/**
 * Sections of a large gallery by capture time: where each begins in the gallery's order. The capture time itself is
 * read from the file by `platform/images/facts.ts`.
 */

/** Consecutive photos of the same quarter of an hour; `at` is the position of the first one, from 0. */
export type TimeRun = {
  at: number;
  /** The camera's local time, `2026-05-16T07:15`; null for photos without one. */
  quarter: string | null;
};
export type TimeSection = { at: number; label: string; count: number };

/** Smaller galleries have no sections. */
export const SECTIONS_FROM = 101;
export const RUNS_AT_MOST = 1_000;
const SECTIONS_AT_MOST = 24;
/** As many as are uploaded at the same time. */
const STRAYS_AT_MOST = 8;
const STEPS_MINUTES = [15, 30, 60, 180, 1_440] as const;
const DAY_MINUTES = 1_440;

/**
 * Sections as short as possible, but at most 24. None if the order does not follow the time: photos in a custom order would
 * have many short runs, and headings between them would not help.
 */
export function timeSections(runs: readonly TimeRun[], total: number): TimeSection[] {
  if (total < SECTIONS_FROM || runs.length >= RUNS_AT_MOST) return [];
  const days = new Set(runs.flatMap(({ quarter }) => (quarter === null ? [] : [quarter.slice(0, 10)])));
  for (const step of STEPS_MINUTES) {
    const sections = joined(runs, step, days.size > 1);
    if (sections.length > SECTIONS_AT_MOST) continue;
    if (sections.length < 2) return [];
    return sections.map((section, index) => ({
      ...section,
      count: (sections[index + 1]?.at ?? total) - section.at,
    }));
  }
  return [];
}

function joined(runs: readonly TimeRun[], step: number, withDay: boolean): { at: number; label: string }[] {
  const sections: { at: number; label: string }[] = [];
  for (const { at, quarter } of runs) {
    const label = quarter === null ? 'Without a time' : labelOf(quarter, step, withDay);
    // Photos that were uploaded in parallel are a little out of order: a few between two of the same time belong to that section.
    const last = sections.at(-1);
    if (last && sections.at(-2)?.label === label && at - last.at <= STRAYS_AT_MOST) sections.pop();
    if (sections.at(-1)?.label !== label) sections.push({ at, label });
  }
  return sections;
}

/** "2:15 PM", "05.16.2026", "05.16.2026 2:15 PM" (rule 55). */
function labelOf(quarter: string, step: number, withDay: boolean): string {
  const [day = '', clock = '00:00'] = quarter.split('T');
  const [year, month, date] = day.split('-');
  const shownDay = `${month}.${date}.${year}`;
  if (step === DAY_MINUTES) return shownDay;
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const start = Math.floor((hours * 60 + minutes) / step) * step;
  const time = clockText(Math.floor(start / 60), start % 60);
  return withDay ? `${shownDay} ${time}` : time;
}

function clockText(hours: number, minutes: number): string {
  return `${hours % 12 === 0 ? 12 : hours % 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** "05.16.2026, 2:15 PM" of a camera's local time as ISO text; null for anything else. */
export function takenText(takenAt: string | null): string | null {
  const parts = takenAt === null ? null : /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(takenAt);
  if (!parts) return null;
  const [, year, month, date, hours, minutes] = parts;
  return `${month}.${date}.${year}, ${clockText(Number(hours), Number(minutes))}`;
}

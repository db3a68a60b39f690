/**
 * Ranges of whole days (rules 39, 55): `YYYY-MM-DD` in code, shown as `MM.DD.YYYY`, sent as `MM/DD/YYYY` in the calls
 * of the admin report and shown as `dd-MM-yyyy` on its page and in its file.
 */
import { DAY_MS } from '#src/shared/dates.ts';

/** Both days are included; `YYYY-MM-DD` in the time zone of the organization that is reported on. */
export type DayRange = { from: string; to: string };

const MACHINE_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const CALL_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/;

/** "2026-02-28"; null for a day that does not exist. */
function existingDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const moment = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(moment) || Number(year) < 1) return null;
  return new Date(moment).toISOString().slice(0, 10) === text ? text : null;
}

/** "02/28/2026" as "2026-02-28"; null for any other format and for days that do not exist. */
export function readCallDay(text: string): string | null {
  const [, month = '', day = '', year = ''] = CALL_DAY.exec(text) ?? [];
  return existingDay(year, month, day);
}

/** The day itself if it is written `YYYY-MM-DD` and exists, otherwise null. */
export function readMachineDay(text: string | null): string | null {
  const [, year = '', month = '', day = ''] = MACHINE_DAY.exec(text ?? '') ?? [];
  return existingDay(year, month, day);
}

/** "2026-02-28" as "02/28/2026", the format of calls. */
export function callDay(day: string): string {
  return day.replace(MACHINE_DAY, '$2/$3/$1');
}

/** "2026-02-28" as "02.28.2026", the format of pages and emails. */
export function shownDay(day: string): string {
  return day.replace(MACHINE_DAY, '$2.$3.$1');
}

/** "2026-02-28" as "28-02-2026", the format of the platform's admin report only (specification A§7). */
export function reportDay(day: string): string {
  return day.replace(MACHINE_DAY, '$3-$2-$1');
}

/** The day this many days later; earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The number of days in a range, both ends included; 0 or less if it ends before it begins. */
export function daysIn({ from, to }: DayRange): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;
}

/** The `days` days that end with `today`. */
export function lastDays(today: string, days: number): DayRange {
  return { from: addDays(today, 1 - days), to: today };
}

/** Every day of a range, in order. */
export function daysOf(range: DayRange): string[] {
  return Array.from({ length: Math.max(0, daysIn(range)) }, (_, index) => addDays(range.from, index));
}

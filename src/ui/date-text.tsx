import { machineDay, publicDay } from '#src/shared/dates.ts';

/** A day as MM.DD.YYYY, in the organization's time zone. */
export function DateText({ at, timeZone }: { at: Date; timeZone?: string }) {
  return (
    <time dateTime={machineDay(at, timeZone)} className="tabular-nums">
      {publicDay(at, timeZone)}
    </time>
  );
}

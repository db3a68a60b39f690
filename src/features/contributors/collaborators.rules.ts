/** Until when a link works, and where the links of a gallery lead. */
import { EXPIRY_PAST, EXPIRY_TOO_LATE } from '#src/features/contributors/collaborators.contract.ts';

const COLLAB = 'collabKey';
const DAY_MS = 86_400_000;
const LONGEST_MS = 5 * 366 * DAY_MS;

/** The moment that a given end means: a day counts whole, in the organization's time zone. */
export function endOf(text: string, timeZone: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? startOfDay(new Date(Date.parse(text) + DAY_MS), timeZone) : new Date(text);
}

/** What is wrong about an end; null when nothing is. */
export function refusalOfEnd(end: Date, now: Date): string | null {
  if (end.getTime() <= now.getTime()) return EXPIRY_PAST;
  return end.getTime() > now.getTime() + LONGEST_MS ? EXPIRY_TOO_LATE : null;
}

/** @param day midnight of the day by UTC */
function startOfDay(day: Date, timeZone: string): Date {
  const guess = new Date(day.getTime() - offsetAt(day, timeZone));
  // Asked again where the guess fell before or after a change of the clocks.
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

/** The page where anybody with the link sends photos. */
export function contributorPath(key: string): string {
  return `/contributor?${new URLSearchParams({ contributeKey: key })}`;
}

/** The editor's address as an invited person opens it (specification A§2: the query `collabKey`). */
export function collaboratorPath(gallery: { affiliate: string; id: number }, key: string): string {
  return `/${gallery.affiliate}/gallery/${gallery.id}/edit?${new URLSearchParams({ [COLLAB]: key })}`;
}

/** In the address once the key has left it: the viewer is still a contributor, and the tab keeps the key. */
const KEPT = 'kept';

/** The same page without its key. */
export function hiddenCollaboratorPath(pathname: string): string {
  return `${pathname}?${new URLSearchParams({ [COLLAB]: KEPT })}`;
}

/** How an address of the editor marks its viewer: as a contributor with a key, with one that a tab keeps, or not at all. */
export function readCollabKey(search: URLSearchParams): { key: string | null } | null {
  const word = search.get(COLLAB)?.trim() ?? null;
  return word === null ? null : { key: word === KEPT ? null : word };
}

/** The owner's review of what was sent. */
export function reviewPath(gallery: { affiliate: string; id: number }): string {
  return `/${gallery.affiliate}/gallery/${gallery.id}/review`;
}

/** "3 photos to review". */
export function waitingText(count: number): string {
  return count === 1 ? '1 photo to review' : `${count.toLocaleString('en-US')} photos to review`;
}

/** People are listed by address; where the list goes on. Null for anything that is no address. */
export function readPerson(after: string | undefined): string {
  return after === undefined || after.length > 254 ? '' : after;
}

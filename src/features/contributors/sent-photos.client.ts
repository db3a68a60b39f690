/**
 * What this browser has sent to a gallery with an invite. Phones close pages that are hidden. Someone who opens the
 * invite again chooses the same photos again, and those that arrived are left out.
 */
import type { ContributionBody } from '#src/features/contributors/contributors.contract.ts';
import { DAY_MS } from '#src/shared/dates.ts';

type Chosen = Pick<File, 'name' | 'size'>;
/** Sent while the page was hidden, without a response. The key stays in its tab (decision record 0016). */
type Unanswered = { marks: string[]; body: Omit<ContributionBody, 'contributeKey'> };
/** `at`: when something was last sent or answered. */
type Kept = { arrived: string[]; unanswered: Unanswered[]; at?: number };

const MOST = 2_000;
/** The privacy page says it, too. */
const SENT_KEPT_DAYS = 30;
const SENT = 'sideline:sent:';
const nameOf = (galleryId: number) => `${SENT}${galleryId}`;
/** Phones give a photo that is chosen again another date. */
const markOf = ({ name, size }: Chosen) => `${size} ${name}`;

function read(galleryId: number): Kept {
  try {
    const kept = JSON.parse(window.localStorage.getItem(nameOf(galleryId)) ?? '{}') as Partial<Kept>;
    return { arrived: kept.arrived ?? [], unanswered: kept.unanswered ?? [] };
  } catch {
    return { arrived: [], unanswered: [] };
  }
}

function write(galleryId: number, { arrived, unanswered }: Kept): void {
  try {
    const kept: Kept = { arrived: [...new Set(arrived)].slice(-MOST), unanswered, at: Date.now() };
    window.localStorage.setItem(nameOf(galleryId), JSON.stringify(kept));
  } catch {
    // Blocked or full: photos that are chosen again are sent again.
  }
}

/** Removes what is kept for galleries to which nothing was sent for a month; browsers would keep it for good. */
export function forgetOldSent(): void {
  const oldest = Date.now() - SENT_KEPT_DAYS * DAY_MS;
  try {
    for (const name of Object.keys(window.localStorage))
      if (name.startsWith(SENT) && lastUseOf(name) < oldest) window.localStorage.removeItem(name);
  } catch {
    // Blocked: nothing was stored.
  }
}

function lastUseOf(name: string): number {
  try {
    return (JSON.parse(window.localStorage.getItem(name) ?? '{}') as Partial<Kept>).at ?? 0;
  } catch {
    return 0;
  }
}

export function noteArrived(galleryId: number, files: readonly Chosen[]): void {
  const { arrived, unanswered } = read(galleryId);
  const now = new Set(files.map(markOf));
  write(galleryId, {
    arrived: [...arrived, ...now],
    // Some may have been removed by hand since.
    unanswered: unanswered.filter(({ marks }) => !marks.some((mark) => now.has(mark))),
  });
}

export function noteUnanswered(galleryId: number, files: readonly Chosen[], body: ContributionBody): void {
  const { arrived, unanswered } = read(galleryId);
  const { contributeKey: _inItsTab, ...rest } = body;
  write(galleryId, { arrived, unanswered: [...unanswered, { marks: files.map(markOf), body: rest }] });
}

/** Whether this browser sent a photo of this name and size. */
export function wasSentTo(galleryId: number): (file: Chosen) => boolean {
  const arrived = new Set(read(galleryId).arrived);
  return (file) => arrived.has(markOf(file));
}

/** What was sent without a response, oldest first. */
export const unansweredOf = (galleryId: number): readonly Unanswered[] => read(galleryId).unanswered;

/** It is answered: its photos have arrived, or never will. */
export function noteAnswered(galleryId: number, answered: Unanswered, hasArrived: boolean): void {
  const { arrived, unanswered } = read(galleryId);
  const keyOf = ({ body }: Unanswered) => body.photos[0]?.key;
  write(galleryId, {
    arrived: hasArrived ? [...arrived, ...answered.marks] : arrived,
    unanswered: unanswered.filter((some) => keyOf(some) !== keyOf(answered)),
  });
}

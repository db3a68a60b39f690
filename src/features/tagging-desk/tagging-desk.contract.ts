/** Texts and limits of the tagging desk, `/:affiliate/gallery/:id/tag` (athletes B.3, B.4). */
import { formatCount, counted } from '#src/shared/counted.ts';
import { firstNumberWord } from '#src/shared/number-words.ts';

export const TAGGING_TITLE = 'Tag athletes';

/** How many photos are preloaded in each direction. */
export const LOADED_AHEAD = 6;
/** The strip: how many photos before and after the current one. */
export const STRIP_BEFORE = 3;
export const STRIP_AFTER = 12;
/** Photos of one camera with no longer pauses are a burst, in milliseconds. */
export const BURST_GAP_MS = 2_000;

/** How many changes are sent together, and after how long at the latest. */
export const BATCH_CHANGES = 50;
export const BATCH_PHOTOS = 500;
export const BATCH_TAGS = 10_000;
export const CHANGE_PHOTOS = 100;
export const CHANGE_TAGS = 60;
export const BATCH_AFTER_MS = 1_000;
/** The longest wait between two tries while the server is unreachable. */
export const LONGEST_WAIT_MS = 10_000;
/** Unsent changes are dropped from the browser after this many days. */
export const KEPT_DAYS = 30;

/** Nine digits can answer a question. */
export const MOST_OPTIONS = 9;

export const NO_TEAMS_TITLE = 'Which teams play in these photos?';
/** Before teams are chosen with whom photos wait. @param teams their names */
export const teamsHold = (teams: readonly string[]) =>
  `Some athletes of ${together(teams)} must not be published. When you start, all photos that no one has checked are hidden from visitors until you tag them or say that none of these athletes is in them.`;
export const NO_ROSTER = 'Add your roster once, and parents find their own child.';
export const NO_TAGS_BEFORE = 'The photo before has no tags.';
export const NO_PHOTO_BEFORE = 'There is no photo before this one.';
export const NOTHING_TO_UNDO = 'There is nothing to undo.';
export const ALL_TAGGED = 'Every photo is tagged.';
export const LAST_PHOTO = 'This is the last photo.';
export const FIRST_PHOTO = 'This is the first photo.';
export const NOTHING_TO_TAKE = 'Every photo is tagged, or someone else is tagging it.';
export const takenWords = (photos: number) =>
  photos === 1 ? 'The next photo is yours for 20 minutes.' : `The next ${photos} photos are yours for 20 minutes.`;
export const KEEPS_NO_TAGS = 'This browser can’t store your tags. Keep this page open until all of them are saved.';
export const SIGN_IN_AGAIN = 'Your session has ended. Log in again to save your tags.';

/** @param options what 1, 2, … stand for */
export function severalWear(number: string, options: readonly string[]): string {
  return `${firstNumberWord(options.length)} players wear ${number}. ${pressFor(options)}`;
}

export function severalMatch(query: string, options: readonly string[]): string {
  return `${firstNumberWord(options.length)} players match “${query}”. ${pressFor(options)}`;
}

export const tooManyMatch = (query: string, count: number) => `${count} players match “${query}”. Type more letters.`;

export const whichTeamWears = (number: string, options: readonly string[]) =>
  `Which team wears ${number}? ${pressFor(options)}`;

export const whichTeamPicture = (options: readonly string[]) => `Whose team picture is this? ${pressFor(options)}`;

function pressFor(options: readonly string[]): string {
  return `Press ${options.map((option, at) => `${at + 1} for ${option}`).join(', ')}.`.replace(/\.\.$/, '.');
}

export const nobodyWears = (number: string) => `Nobody on these teams wears ${number}. Tag the number anyway? ⏎`;
export const nobodyIsCalled = (query: string) => `Nobody on these teams is called “${query}”.`;
export const noSuchTeam = (typed: string) => `“${typed}” is not a team. ${'Use 1. or h, 2. or a before the number.'}`;
export const emptyTeam = (team: string) => `No one is on the roster of ${team} yet.`;

export const nowHidden = (photos: number) =>
  photos === 1 ? 'This photo is now hidden.' : `${formatCount(photos)} photos are now hidden.`;

/** @param names of children whose photos must not be published, "Maya R." */
export const mustNotBePublished = (names: readonly string[], photos: number) =>
  `${together(names)} must not be published. ${nowHidden(photos)}`;

export const onlyForFamily = (names: readonly string[], photos: number) =>
  `${together(names)} may be shown only to the family. ${nowHidden(photos)}`;

function together(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export const photoOf = (place: number, total: number) => `Photo ${formatCount(place + 1)} of ${formatCount(total)}`;

export type TrayState = { tagged: number; waiting: number; isOffline: boolean };

/** Of a gallery that holds new photos; the banner has the full sentence. */
export const heldPhotos = (photos: number) =>
  photos === 1
    ? '1 photo stays hidden until it is checked'
    : `${formatCount(photos)} photos stay hidden until they are checked`;

/** The status of the outbox. */
export function trayWords({ tagged, waiting, isOffline }: TrayState): string {
  if (waiting === 0) return `${formatCount(tagged)} tagged, all saved`;
  return isOffline ? `offline, ${formatCount(waiting)} kept here` : `saving ${formatCount(waiting)}…`;
}

/** @param perMinute null until there are enough photos */
export function speedWords(tagged: number, total: number, perMinute: number | null): string {
  const done = `${formatCount(tagged)} of ${formatCount(total)} tagged`;
  if (perMinute === null || perMinute <= 0 || tagged >= total) return done;
  return `${done} · ${formatCount(Math.max(1, Math.round(perMinute)))} a minute · ${timeLeft((total - tagged) / perMinute)} left`;
}

function timeLeft(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 1.5) return 'about 1 minute';
  if (minutes < 90) return `about ${Math.round(minutes)} minutes`;
  return `about ${formatCount(Math.round(minutes / 60))} hours`;
}

/** The most used keys, below the field. */
export const MOST_USED_KEYS: readonly (readonly [key: string, what: string])[] = [
  ['⏎', 'next'],
  ['.', 'same as before'],
  ['Shift + ⏎', 'whole burst'],
  ['-', 'nobody'],
  ['?', 'all keys'],
];

/** All keys, for the help. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['10 ⏎', 'Tag number 10 and show the next photo'],
  ['10 7 23 ⏎', 'Tag three players'],
  ['h10 ⏎, a10 ⏎', 'Number 10 of the first or the second team; 1.10 and 2.10 do the same'],
  ['may ⏎', 'Search a name'],
  ['⏎', 'Leave the photo as it is, and show the next'],
  ['.', 'Same as the photo before'],
  ['Shift + ⏎', 'This photo and the whole burst'],
  ['-', 'Nobody to name here'],
  ['g ⏎', 'Team picture: tag the whole team'],
  ['x ⏎', 'Hide the photo from visitors'],
  ['Ctrl + Z', 'Undo, as often as you like'],
  ['← →', 'Move without tagging'],
  ['Home', 'First photo that is not tagged'],
  ['Esc', 'Clear the field, or cancel a question'],
  ['?', 'Show these keys'],
];

export const TAG_MANY_HINT = 'Numbers or names, as on the tagging desk: 10, 10 7 23, h10, may, or g for a whole team.';
export const taggedMany = (who: string, photos: string) => `Tagged ${who} on ${photos}.`;
export const untaggedMany = (who: string, photos: string) => `Removed ${who} from ${photos}.`;
export const leftMany = (photos: number, error: string) =>
  `${counted(photos, 'photo was', 'photos were')} left as before: ${error}`;
export const hiddenUntilChecked = (photos: number) =>
  photos === 1
    ? '1 photo is hidden until someone checks it.'
    : `${formatCount(photos)} photos are hidden until someone checks them.`;
/** What an undo did. `left`: the photos that it did not change, with the reason; `held`: those that wait again. */
export function takenBack(all: number, left: ReadonlyMap<number, string>, held: number): string {
  const [error = ''] = left.values();
  if (left.size >= all) return error;
  return [
    'Undone.',
    ...(left.size === 0
      ? []
      : [`${counted(left.size, 'photo was left as it is', 'photos were left as they are')}: ${error}`]),
    ...(held === 0 ? [] : [hiddenUntilChecked(held)]),
  ].join(' ');
}
export const NOBODY_TYPED = 'Type a number or a name first.';

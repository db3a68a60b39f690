/** Decisions about rosters: comparing and showing names, choosing the season, changing numbers (athletes B.2, B.7, B.10). */
import { namelessLabel, type NamedAthlete } from '#src/shared/athlete-names.ts';
import { FIELD_NAMES, MAX_SHORT_NAME, type SeenAthlete } from '#src/features/roster/roster.contract.ts';

export { labelOf, namelessLabel } from '#src/shared/athlete-names.ts';

/** Letters that do not decompose into a base letter and an accent. */
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/** A name for searching and comparing: lower case, without accents, apostrophes or hyphens, one space between words. */
export function foldName(...parts: readonly string[]): string {
  return parts
    .join(' ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}|['’ʼ`´.]/gu, '')
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replaceAll(/[\s\p{Pd},]+/gu, ' ')
    .trim();
}

/** The full name, as members see it. */
export function fullName(athlete: NamedAthlete): string {
  if (athlete.firstName === null) return namelessLabel(athlete.id);
  return `${athlete.firstName} ${athlete.lastName ?? ''}`.trim();
}

const fits = (short: string) => short.length <= MAX_SHORT_NAME;
const cutShort = (name: string) => [...name].slice(0, MAX_SHORT_NAME).join('').trim();

/** "Hawks" of "Hawks U12": the first word, cut to the length that is shown before a number. */
function firstWordOf(name: string): string {
  const [first = name] = name.split(' ');
  return cutShort(first.length <= MAX_SHORT_NAME ? first : name);
}

/**
 * The short names of new teams of one season. Where the first word would mean several teams, the last one follows: "Hawks U12" and
 * "Hawks U14". @param taken short names of the season's other teams
 */
export function shortNamesOf(names: readonly string[], taken: readonly string[]): string[] {
  const used = [...taken];
  const isUsed = (short: string) => used.some((each) => each.toLowerCase() === short.toLowerCase());
  const first = names.map(firstWordOf);
  const isShared = (at: number) =>
    first.some((word, other) => other !== at && word.toLowerCase() === first[at]?.toLowerCase());
  return names.map((name, at) => {
    const word = first[at] ?? name;
    const [, ...rest] = name.split(' ');
    const last = rest.at(-1);
    const longer = last === undefined ? [] : [`${word} ${last}`, name, last].filter(fits);
    const possible = [...(isShared(at) ? [] : [word]), ...longer, cutShort(name)];
    const short = possible.find((each) => each !== '' && !isUsed(each)) ?? word;
    used.push(short);
    return short;
  });
}

type Days = { id: number; firstDay: string; lastDay: string };

/** The season of a day: the newest that includes it, else the newest before it, else the next one; null without seasons. */
export function seasonOf<Season extends Days>(seasons: readonly Season[], today: string): Season | null {
  const byBeginning = seasons.toSorted((a, b) =>
    a.firstDay < b.firstDay ? -1 : a.firstDay > b.firstDay ? 1 : a.id - b.id,
  );
  const begun = byBeginning.filter(({ firstDay }) => firstDay <= today);
  return begun.findLast(({ lastDay }) => lastDay >= today) ?? begun.at(-1) ?? byBeginning[0] ?? null;
}

/** The school year of a day, for an organization without seasons: "2026-27", August to July. */
export function schoolYearOf(today: string): { name: string; first_day: string; last_day: string } {
  const year = Number(today.slice(0, 4)) - (today.slice(5) < '08-01' ? 1 : 0);
  const next = String((year + 1) % 100).padStart(2, '0');
  return { name: `${year}-${next}`, first_day: `${year}-08-01`, last_day: `${year + 1}-07-31` };
}

export const MAX_SEASON_DAYS = 731;

/** Fields that have changed since someone saw them. */
export function fieldsChangedSince(seen: SeenAthlete, now: Required<SeenAthlete>): (keyof SeenAthlete)[] {
  const fields = Object.keys(FIELD_NAMES) as (keyof SeenAthlete)[];
  return fields.filter((field) => seen[field] !== undefined && seen[field] !== now[field]);
}

export type CurrentEntry = {
  id: number;
  teamId: number;
  number: string | null;
  joinedOn: string | null;
  isTagged: boolean;
};
export type EntryStep =
  | { do: 'join'; teamId: number; number: string | null; joinedOn: string | null }
  | { do: 'renumber'; id: number; number: string | null }
  /** The row ends the day before `joinedOn`, and another one begins. */
  | { do: 'replace'; id: number; teamId: number; number: string | null; leftOn: string; joinedOn: string }
  | { do: 'leave'; id: number; leftOn: string }
  | { do: 'remove'; id: number };

/**
 * The changes of an athlete's entries. A number without photos (`isTagged`, also bare numbers) was a mistake and is
 * overwritten, and so is one of today. A number with photos stays theirs, and the new one applies from today (B.10).
 * `entries` without `number` keep theirs.
 */
export function entrySteps(
  now: readonly CurrentEntry[],
  wanted: { entries: readonly { team_id: number; number?: string | null | undefined }[]; leave: readonly number[] },
  days: { today: string; yesterday: string },
): EntryStep[] {
  const entryOn = (teamId: number) => now.find((each) => each.teamId === teamId);
  const changes = wanted.entries.flatMap((each): EntryStep[] => {
    const before = entryOn(each.team_id);
    if (!before) return [{ do: 'join', teamId: each.team_id, number: each.number ?? null, joinedOn: null }];
    const number = each.number === undefined ? before.number : each.number;
    if (number === before.number) return [];
    if (before.number === null || !before.isTagged || begunToday(before, days.today))
      return [{ do: 'renumber', id: before.id, number }];
    const [leftOn, joinedOn] = [days.yesterday, days.today];
    return [{ do: 'replace', id: before.id, teamId: each.team_id, number, leftOn, joinedOn }];
  });
  const leaving = wanted.leave.flatMap((teamId): EntryStep[] => {
    const before = entryOn(teamId);
    if (!before) return [];
    return [before.isTagged ? { do: 'leave', id: before.id, leftOn: days.today } : { do: 'remove', id: before.id }];
  });
  return [...changes, ...leaving];
}

const begunToday = ({ joinedOn }: CurrentEntry, today: string) => joinedOn !== null && joinedOn >= today;

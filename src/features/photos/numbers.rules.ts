/** Numbers of athletes on photos: parsing a typed number, and the chips (athletes B.3, B.6). Never names. */
import { searchWords, type KeywordChip } from '#src/features/photos/keyword-search.rules.ts';
import { labelOf } from '#src/shared/athlete-names.ts';
import type { MemberTag } from '#src/features/photos/photos.contract.ts';

/** A number, perhaps of a team with this short name. */
type TypedNumber = { team: string | null; number: string };

/** "10", "#10", "No. 10" and "Hawks 10"; null for everything else. 0, 00 and 07 are three players. */
export function typedNumber(text: string): TypedNumber | null {
  const [, before = '', number = ''] = /^(.*?)#?(\d{1,4})$/s.exec(text.trim()) ?? [];
  if (number === '' || /\d$/.test(before)) return null;
  const [only, another] = searchWords(text);
  if (only?.match === 'number' && !another) return { team: null, number };
  const team = before.trim();
  return team === '' || team.length > 12 || !/\s$/.test(before) ? null : { team, number };
}

/** A number of a team, with how many public photos of a gallery show it. */
export type ShownNumber = { teamId: number; team: string; number: string; photos: number };

const byNumber = (a: string, b: string) => Number(a) - Number(b) || a.length - b.length;

/** By team, then by number. */
export function sortNumbers(numbers: readonly ShownNumber[]): ShownNumber[] {
  return numbers.toSorted(
    (a, b) => a.team.localeCompare(b.team, 'en') || a.teamId - b.teamId || byNumber(a.number, b.number),
  );
}

const isNumber = ({ name }: KeywordChip) => /^#?\d+$/.test(name);
const digitsOf = ({ name }: KeywordChip) => name.replace('#', '');

/**
 * Chips of all numbers in ascending order, whether tagged or typed as a keyword; then those of other keywords. With several
 * teams "Hawks 10", before the numbers of no team.
 */
export function numberChips(numbers: readonly ShownNumber[], keywords: readonly KeywordChip[]): KeywordChip[] {
  const teams = new Set(numbers.map(({ team }) => team));
  const known = new Set(numbers.map(({ number }) => number));
  const sums = new Map<string, KeywordChip>();
  for (const { team, number, photos } of sortNumbers(numbers)) {
    const name = teams.size > 1 ? `${team} ${number}` : number;
    const count = (sums.get(name)?.count ?? 0) + photos;
    sums.set(name, { name, count, search: name });
  }
  const others = keywords.filter((keyword) => !known.has(digitsOf(keyword)));
  if (teams.size > 1) return [...sums.values(), ...others];
  const numbered = [...sums.values(), ...others.filter(isNumber)].toSorted((a, b) =>
    byNumber(digitsOf(a), digitsOf(b)),
  );
  return [...numbered, ...others.filter((keyword) => !isNumber(keyword))];
}

export type TagOfMembers = {
  athleteId: number | null;
  firstName: string | null;
  lastName: string | null;
  teamId: number | null;
  team: string | null;
  number: string | null;
};

/** A tag as members see it. */
export function presentTag(tag: TagOfMembers): MemberTag {
  const { athleteId, teamId, team, number } = tag;
  const name = athleteId === null ? null : labelOf({ ...tag, id: athleteId });
  return { athlete_id: athleteId, name, team_id: teamId, team, number };
}

/** The data of the tagging desk: photos, the teams in play, their players, and tags. */

export type DeskTeam = { id: number; name: string; /** Before a number: "Hawks". */ shortName: string };

export type DeskPlayer = {
  athleteId: number;
  /** "Maya R.". */
  name: string;
  /** First and last name in lower case without accents. */
  folded: string;
  teamId: number;
  /** Text, because 0, 00 and 07 are three players. Null: no number yet. */
  number: string | null;
  consent: 'yes' | 'family' | 'no' | 'unknown';
};

/** Teams in the order of play: home first. */
export type DeskRoster = { teams: readonly DeskTeam[]; players: readonly DeskPlayer[] };

/** An athlete, or a bare number of a team if no one on the roster wears it. */
export type DeskTag =
  | { athleteId: number; teamId: number | null; number: string | null; name: string }
  | { athleteId: null; teamId: number; number: string; name: null };

export type DeskPhoto = {
  id: number;
  imageUrl: string;
  width: number | null;
  height: number | null;
  /** The camera's local time, ISO text without a zone. */
  capturedAt: string | null;
  /** Null if unknown. */
  camera: string | null;
  tags: readonly DeskTag[];
  /** Someone marked it as having no one to name. */
  isChecked: boolean;
  /** Whether members want visitors to see it. */
  isShown: boolean;
  /** It is hidden all the same: it waits for a check, or a consent or a request hides it. */
  isWithheld: boolean;
  /** In another person's run. */
  isTaken: boolean;
};

/** Tags with the same key are the same tag. */
export function keyOfTag(tag: DeskTag): string {
  return tag.athleteId === null ? `${tag.teamId}.${tag.number}` : String(tag.athleteId);
}

export const isHidden = (photo: DeskPhoto) => !photo.isShown || photo.isWithheld;
export const isDone = (photo: DeskPhoto) => photo.tags.length > 0 || photo.isChecked;

export function tagOf({ athleteId, teamId, number, name }: DeskPlayer): DeskTag {
  return { athleteId, teamId, number, name };
}

/** "10 Maya R.", with two teams "Hawks 10 Maya R."; a bare number is "Hawks 10" or "10". */
export function tagWords(tag: DeskTag, { teams }: DeskRoster): string {
  const team = teams.length > 1 ? teams.find(({ id }) => id === tag.teamId)?.shortName : undefined;
  return [team, tag.number, tag.name].filter((part) => part !== undefined && part !== null).join(' ');
}

/** The names of tags for a sentence, or their number if there are many. */
export function whoWords(tags: readonly DeskTag[], roster: DeskRoster): string {
  return tags.length > 5 ? `${tags.length} players` : tags.map((tag) => tagWords(tag, roster)).join(', ');
}

/** Adds a period unless the text ends with one, such as "Tagged Maya R." */
export const sentence = (words: string) => (words.endsWith('.') ? words : `${words}.`);

/** Lower case, no accents, one space between words: the form in which names are searched. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Parses the field of the tagging desk (athletes B.3): numbers, teams before numbers, names, and keys that act immediately. */
import {
  emptyTeam,
  MOST_OPTIONS,
  nobodyIsCalled,
  nobodyWears,
  noSuchTeam,
  severalMatch,
  severalWear,
  tooManyMatch,
  whichTeamPicture,
  whichTeamWears,
} from '#src/features/tagging-desk/tagging-desk.contract.ts';
import {
  folded,
  keyOfTag,
  tagOf,
  type DeskPlayer,
  type DeskRoster,
  type DeskTag,
  type DeskTeam,
} from '#src/features/tagging-desk/desk-model.rules.ts';

/** The index of an option, or the second ⏎. */
export type Answer = number | 'yes';

export type Reading =
  /** ⏎ alone: leave the photo unchanged. */
  | { kind: 'nothing' }
  | { kind: 'hide' }
  | { kind: 'tags'; tags: readonly DeskTag[] }
  /** Answered with 1, 2, … */
  | { kind: 'question'; text: string; options: readonly string[] }
  /** Answered with ⏎. */
  | { kind: 'confirm'; text: string }
  | { kind: 'trouble'; text: string };

type Unclear = Exclude<Reading, { kind: 'tags' | 'nothing' | 'hide' }>;
type Found = { tags: readonly DeskTag[] } | Unclear;

/** What people type between two numbers, or before one, besides a space. */
const SEPARATORS = /[,;+&/#]/g;

/**
 * The meaning of a typed line. If it is ambiguous, the result is the first question; with answers, the next question,
 * and finally the tags, each once and in the order of typing.
 */
export function readCommand(text: string, roster: DeskRoster, answers: readonly Answer[] = []): Reading {
  const line = folded(text.replaceAll(SEPARATORS, ' '));
  if (line === '') return { kind: 'nothing' };
  if (line === 'x') return { kind: 'hide' };
  const open = [...answers];
  const tags = new Map<string, DeskTag>();
  for (const part of partsOf(line, roster)) {
    const found = part === 'g' ? wholeTeam(roster, open) : findOne(part, roster, open);
    if ('kind' in found) return found;
    for (const tag of found.tags) tags.set(keyOfTag(tag), tag);
  }
  return { kind: 'tags', tags: [...tags.values()] };
}

/** The words of a line; consecutive words are one name if a player has it ("maya r"). */
function partsOf(line: string, { players }: DeskRoster): string[] {
  const parts: string[] = [];
  for (const word of line.split(' ')) {
    const last = parts.at(-1);
    const joined = `${last} ${word}`;
    if (last !== undefined && !/\d/.test(joined) && players.some((player) => isCalled(player, joined)))
      parts[parts.length - 1] = joined;
    else parts.push(word);
  }
  return parts;
}

const NUMBER = /^(?:([ha])|([1-9])\.)?(\d{1,4})$/;

function findOne(part: string, roster: DeskRoster, answers: Answer[]): Found {
  const [, letter, place, number] = NUMBER.exec(part) ?? [];
  if (number === undefined) return findNamed(part, roster, answers);
  const at = letter === undefined ? Number(place ?? 0) : letter === 'h' ? 1 : 2;
  if (at === 0) return findNumber(number, roster, answers);
  const team = roster.teams[at - 1];
  return team ? findNumber(number, within(roster, team), answers) : { kind: 'trouble', text: noSuchTeam(part) };
}

/** The roster of one team. */
function within({ players }: DeskRoster, team: DeskTeam): DeskRoster {
  return { teams: [team], players: players.filter(({ teamId }) => teamId === team.id) };
}

function findNumber(number: string, roster: DeskRoster, answers: Answer[]): Found {
  const wearing = roster.players.filter((player) => player.number === number);
  if (wearing.length > 0) return chooseOne(wearing, roster, answers, (options) => severalWear(number, options));
  // Without a roster there is no one to confuse the number with.
  if (roster.players.length > 0 && answers.shift() !== 'yes') return { kind: 'confirm', text: nobodyWears(number) };
  const names = roster.teams.map(({ shortName }) => shortName);
  const at = choiceOf(names, answers);
  const team = at === null ? undefined : roster.teams[at];
  if (!team) return { kind: 'question', text: whichTeamWears(number, names), options: names };
  return { tags: [{ athleteId: null, teamId: team.id, number, name: null }] };
}

function findNamed(query: string, roster: DeskRoster, answers: Answer[]): Found {
  const called = onceEach(roster.players.filter((player) => isCalled(player, query)));
  if (called.length === 0) return { kind: 'trouble', text: nobodyIsCalled(query) };
  if (called.length > MOST_OPTIONS) return { kind: 'trouble', text: tooManyMatch(query, called.length) };
  return chooseOne(called, roster, answers, (options) => severalMatch(query, options));
}

/** `g`: everyone on the team. */
function wholeTeam({ teams, players }: DeskRoster, answers: Answer[]): Found {
  const names = teams.map(({ shortName }) => shortName);
  const at = choiceOf(names, answers);
  const team = at === null ? undefined : teams[at];
  if (!team) return { kind: 'question', text: whichTeamPicture(names), options: names };
  const tags = players.filter(({ teamId }) => teamId === team.id).map(tagOf);
  return tags.length === 0 ? { kind: 'trouble', text: emptyTeam(team.name) } : { tags };
}

function chooseOne(
  players: readonly DeskPlayer[],
  roster: DeskRoster,
  answers: Answer[],
  ask: (options: readonly string[]) => string,
): Found {
  const options = namesApart(players.slice(0, MOST_OPTIONS), roster);
  const at = choiceOf(options, answers);
  const player = at === null ? undefined : players[at];
  return player ? { tags: [tagOf(player)] } : { kind: 'question', text: ask(options), options };
}

/** The only option, or the answered one; null while it is open. */
function choiceOf(options: readonly string[], answers: Answer[]): number | null {
  if (options.length === 1) return 0;
  const answer = answers.shift();
  return typeof answer === 'number' && answer < options.length ? answer : null;
}

/** Team names if they distinguish the players, else player names, else both. */
function namesApart(players: readonly DeskPlayer[], { teams }: DeskRoster): string[] {
  const teamOf = ({ teamId }: DeskPlayer) => teams.find(({ id }) => id === teamId)?.shortName ?? '';
  const full = ({ name, number }: DeskPlayer) => (number === null ? name : `${name} (${number})`);
  const isOneNumber = players.every(({ number }) => number === players[0]?.number);
  const ways = [
    ...(isOneNumber ? [teamOf] : []),
    ({ name }: DeskPlayer) => name,
    (player: DeskPlayer) => `${player.name} of ${teamOf(player)}`,
    full,
    (player: DeskPlayer) => `${full(player)} of ${teamOf(player)}`,
  ];
  const all = ways.map((words) => players.map(words));
  return all.find((options) => new Set(options).size === options.length) ?? all.at(-1) ?? [];
}

/** Whether a first or last name, or both together, begin with this. @param query folded */
function isCalled({ folded: name }: DeskPlayer, query: string): boolean {
  return name.startsWith(query) || name.includes(` ${query}`);
}

function onceEach(players: readonly DeskPlayer[]): DeskPlayer[] {
  return [...new Map(players.toReversed().map((player) => [player.athleteId, player])).values()].toReversed();
}

/** The players in the list while someone types: those that the last word may mean. */
export function narrowed(text: string, roster: DeskRoster): readonly DeskPlayer[] {
  const line = folded(text);
  const part = text.endsWith(' ') ? '' : (partsOf(line, roster).at(-1) ?? '');
  if (part === '') return roster.players;
  const [, letter, place, number] = /^(?:([ha])|([1-9])\.)?(\d*)$/.exec(part) ?? [];
  const at = letter === undefined ? Number(place ?? 0) : letter === 'h' ? 1 : 2;
  const team = roster.teams[at - 1];
  const byNumber = (player: DeskPlayer) =>
    number !== undefined &&
    (player.number ?? '').startsWith(number) &&
    (at === 0 ? number !== '' : player.teamId === team?.id && (letter === undefined || number !== ''));
  return roster.players.filter((player) => byNumber(player) || isCalled(player, part));
}

export type KeyPress = {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
};

export type KeyAction =
  | { do: 'enter'; burst: boolean }
  | { do: 'answer'; answer: Answer }
  | { do: 'step'; by: 1 | -1 }
  | { do: 'same' | 'nobody' | 'undo' | 'help' | 'first' | 'clear' };

const AT_ONCE: Record<string, KeyAction> = {
  '.': { do: 'same' },
  '-': { do: 'nobody' },
  '?': { do: 'help' },
  ArrowLeft: { do: 'step', by: -1 },
  ArrowUp: { do: 'step', by: -1 },
  ArrowRight: { do: 'step', by: 1 },
  ArrowDown: { do: 'step', by: 1 },
  Home: { do: 'first' },
};

/**
 * What a key does besides typing; null: it only types. Digits or ⏎ answer a question, and undo clears typed text before
 * it removes tags.
 */
export function actionOf(event: KeyPress, text: string, asked: Reading | null): KeyAction | null {
  const { key } = event;
  if (event.isComposing || event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== 'z' || event.shiftKey) return null;
    return text === '' && asked === null ? { do: 'undo' } : { do: 'clear' };
  }
  if (asked?.kind === 'question' && /^[1-9]$/.test(key) && Number(key) <= asked.options.length)
    return { do: 'answer', answer: Number(key) - 1 };
  if (key === 'Enter')
    return asked?.kind === 'confirm' ? { do: 'answer', answer: 'yes' } : { do: 'enter', burst: event.shiftKey };
  if (key === 'Escape') return { do: 'clear' };
  return text === '' ? (AT_ONCE[key] ?? null) : null;
}

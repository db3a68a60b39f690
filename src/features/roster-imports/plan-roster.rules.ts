/**
 * Decides which athlete each row of a roster is about, for the whole file before anything is written (athletes B.7): by
 * the club's own id, else the name on the same team, else the name on another team of the season, which needs an
 * answer. Two athletes with one name on one team stay two; only a row identical to an earlier one is the same athlete.
 */
import { isOwnWord, strictestOf } from '#src/features/consent/consent.rules.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { Cells, RosterRow } from '#src/features/roster-imports/roster-rows.rules.ts';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { MAX_TEAMS, numberTaken } from '#src/features/roster/roster.contract.ts';
import { labelOf } from '#src/features/roster/roster.rules.ts';
import { fieldProblem } from '#src/shared/problem.ts';

export type KnownAthlete = {
  id: number;
  firstName: string;
  lastName: string;
  foldedName: string;
  externalId: string | null;
  /** Ids of athletes who were merged into it. */
  formerIds: string[];
  consent: Consent;
  consentBy: 'import' | 'member' | 'family' | null;
  /** The club's own consent, where a family has decided. */
  clubConsent: Consent | null;
  includedPhotos: number | null;
  emails: string[];
  /** Current entries. */
  entries: { teamId: number; number: string | null }[];
};
export type Known = {
  seasons: readonly { id: number; name: string }[];
  teams: readonly { id: number; seasonId: number; name: string }[];
  /** Athletes whose name or id is in the file. */
  athletes: readonly KnownAthlete[];
  /** Who wears a number on a team now. */
  wearers: readonly { teamId: number; number: string; id: number; firstName: string | null; lastName: string | null }[];
};
export type PlanOptions = { seasonId: number; team: string; moves: words.Moves | null };

/** The part of the decision that is stored until the row is processed. */
export type RowPlan = {
  seasonId: number;
  team: string;
  /** An existing athlete, else the row whose athlete it is, or null for a new one. */
  athleteId: number | null;
  sameAs: number | null;
  leaveTeamId: number | null;
  consent: Consent | null;
  externalId: string | null;
};
export type PlannedRow = {
  row: number;
  cells: Cells;
  result: 'created' | 'updated' | 'skipped' | 'failed';
  errors: string[];
  warnings: string[];
  /** Of an athlete who is known: what becomes different, one sentence each. */
  changes: string[];
  athleteId: number | null;
  isMoving: boolean;
  plan: RowPlan | null;
};

const fold = (name: string) => name.toLowerCase();

type Place = { seasonId: number; team: string; teamId: number | null };
/** A row of the file, numbered as in a spreadsheet, with what it says and what is wrong with it. */
export type FileRow = { row: number; cells: Cells; values: RosterRow; errors: string[] };
type Read = FileRow & { place: Place };

/** The rows of a file, as `readRow` parsed them, in their order; in steps, because others wait. */
export function* planRoster(
  file: readonly FileRow[],
  known: Known,
  options: PlanOptions,
): Generator<undefined, PlannedRow[]> {
  const index = indexOf(known);
  const rows: Read[] = [];
  const claimed = new Map<number, number>();
  const exact = new Map<number, KnownAthlete>();
  // Existing athletes with the same number come first, so that a new child with the same name is not taken for one.
  for (const each of file) {
    yield;
    const read = readAt(each, index, options);
    rows.push(read);
    const { row, values, errors, place } = read;
    if (errors.length > 0) continue;
    const found = index
      .athletesFor(values)
      .find(
        (athlete) => !claimed.has(athlete.id) && isOn(athlete, values, place) && wears(athlete, place, values.number),
      );
    if (!found) continue;
    exact.set(row, found);
    claimed.set(found.id, row);
  }
  const before = new Map<string, Read[]>();
  /** The first row with a name, and the next one: both are flagged (B.7). */
  const twins = new Map<number, number>();
  const all: PlannedRow[] = [];
  for (const read of rows) {
    yield;
    const [first] = before.get(nameKey(read)) ?? [];
    const planned = planRow(read, { known: index.knownFor(read), options, claimed, exact, before });
    if (planned.result !== 'failed') {
      for (const key of keysOf(read)) before.set(key, [...(before.get(key) ?? []), read]);
      if (planned.athleteId !== null) claimed.set(planned.athleteId, read.row);
      if (first && !twins.has(first.row) && planned.warnings.includes(words.sameName(first.row)))
        twins.set(first.row, read.row);
    }
    all.push(planned);
  }
  return all.map((planned) => {
    const twin = twins.get(planned.row);
    return twin === undefined ? planned : { ...planned, warnings: [...planned.warnings, words.sameName(twin)] };
  });
}

/** The names of teams that do not exist yet. @throws invalid when a season would have too many */
export function newTeamsOf(rows: readonly PlannedRow[], teams: Known['teams']): string[] {
  const keyOf = (seasonId: number, name: string) => `${seasonId} ${name.toLowerCase()}`;
  const existing = new Set(teams.map(({ seasonId, name }) => keyOf(seasonId, name)));
  const fresh = new Map<string, string>();
  for (const { plan: planned } of rows)
    if (planned && !existing.has(keyOf(planned.seasonId, planned.team)))
      fresh.set(keyOf(planned.seasonId, planned.team), planned.team);
  const bySeason = Map.groupBy([...existing, ...fresh.keys()], (key) => key.split(' ')[0]);
  const isTooMany = [...bySeason.values()].some((keys) => keys.length > MAX_TEAMS);
  if (fresh.size > 0 && isTooMany) throw fieldProblem({ file: [words.TOO_MANY_TEAMS] });
  return [...fresh.values()];
}

/** Indexes by names, ids and numbers: a file of thousands of rows is planned while a web process waits. Order is kept. */
function indexOf(known: Known) {
  const places = new Map<string, number[]>();
  known.athletes.forEach(({ foldedName, externalId, formerIds }, place) => {
    for (const key of new Set([`name ${foldedName}`, `id ${externalId}`, ...formerIds.map((id) => `id ${id}`)])) {
      const there = places.get(key);
      if (there) there.push(place);
      else places.set(key, [place]);
    }
  });
  const wearers = Map.groupBy(known.wearers, ({ teamId, number }) => `${teamId} ${number}`);
  const teams = new Map(known.teams.toReversed().map((team) => [`${team.seasonId} ${fold(team.name)}`, team]));
  const athletesFor = ({ foldedName, externalId }: RosterRow): KnownAthlete[] =>
    [
      ...new Set([
        ...(places.get(`name ${foldedName}`) ?? []),
        ...(externalId === null ? [] : (places.get(`id ${externalId}`) ?? [])),
      ]),
    ]
      .toSorted((one, other) => one - other)
      .flatMap((place) => known.athletes[place] ?? []);
  return {
    seasons: known.seasons,
    teamOf: (seasonId: number, name: string) => teams.get(`${seasonId} ${fold(name)}`),
    athletesFor,
    /** The part that can matter for a row. */
    knownFor: ({ values, place }: Read): Known => ({
      ...known,
      athletes: athletesFor(values),
      wearers: wearers.get(`${place.teamId} ${values.number}`) ?? [],
    }),
  };
}

/** The key that later rows look up. */
const nameKey = ({ values, place }: Read) => `name ${place.seasonId} ${values.foldedName}`;
const keysOf = (read: Read) => [
  nameKey(read),
  ...(read.values.externalId === null ? [] : [`id ${read.values.externalId}`]),
  ...(read.values.number === null ? [] : [numberKey(read.place, read.values.number)]),
];
const numberKey = ({ seasonId, team }: Place, number: string) => `number ${seasonId} ${fold(team)} ${number}`;

function readAt(
  { row, cells, values, errors }: FileRow,
  known: Pick<ReturnType<typeof indexOf>, 'seasons' | 'teamOf'>,
  options: PlanOptions,
): Read {
  const season = known.seasons.find(({ name }) => fold(name) === fold(values.season));
  const team = values.team === '' ? options.team : values.team;
  const seasonId = season?.id ?? options.seasonId;
  const found = known.teamOf(seasonId, team);
  const place = { seasonId, team: found?.name ?? team, teamId: found?.id ?? null };
  const all = [
    ...errors,
    ...(team === '' ? [words.TEAM_REQUIRED] : []),
    ...(values.season !== '' && !season ? [words.seasonUnknown(values.season)] : []),
  ];
  return { row, cells, values, errors: all, place };
}

const hasId = ({ externalId, formerIds }: KnownAthlete, id: string | null) =>
  id !== null && (externalId === id || formerIds.includes(id));
const isNamed = (athlete: KnownAthlete, values: RosterRow) =>
  athlete.foldedName === values.foldedName && !(athlete.externalId !== null && values.externalId !== null);
const isOn = (athlete: KnownAthlete, values: RosterRow, { teamId }: Place) =>
  isNamed(athlete, values) && athlete.entries.some((entry) => entry.teamId === teamId);
const wears = (athlete: KnownAthlete, { teamId }: Place, number: string | null) =>
  number !== null && athlete.entries.some((entry) => entry.teamId === teamId && entry.number === number);

type Context = {
  known: Known;
  options: PlanOptions;
  claimed: ReadonlyMap<number, number>;
  exact: ReadonlyMap<number, KnownAthlete>;
  before: ReadonlyMap<string, Read[]>;
};

function planRow(read: Read, context: Context): PlannedRow {
  const { row, cells, values, errors, place } = read;
  const base = { row, cells, warnings: [], changes: [], athleteId: null, isMoving: false, plan: null };
  if (errors.length > 0) return { ...base, result: 'failed', errors };
  const { known, claimed, before } = context;
  const byId =
    values.externalId === null ? null : (known.athletes.find((each) => hasId(each, values.externalId)) ?? null);
  const sameId = values.externalId === null ? undefined : before.get(`id ${values.externalId}`)?.at(0);
  const namesakes = before.get(nameKey(read)) ?? [];
  const again =
    namesakes.find((each) => isSameEntry(each, read)) ?? (sameId && sameTeam(sameId, read) ? sameId : undefined);
  if (again) return { ...base, result: 'failed', errors: [words.sameAthlete(again.row)] };
  const found =
    byId ??
    context.exact.get(row) ??
    known.athletes.find((each) => !claimed.has(each.id) && isOn(each, values, place)) ??
    null;
  const elsewhere = found || sameId ? null : onAnotherTeam(values, place, known, claimed);
  if (elsewhere && context.options.moves === null)
    return { ...base, result: 'failed', errors: [words.movesQuestion(place.team)], isMoving: true };
  const athlete = found ?? (context.options.moves === 'new' ? null : (elsewhere?.athlete ?? null));
  const leaveTeamId =
    athlete !== null && athlete === elsewhere?.athlete && context.options.moves === 'move' ? elsewhere.teamId : null;
  const consent = decidedConsent(athlete, values.consent);
  const plan = {
    seasonId: place.seasonId,
    team: place.team,
    athleteId: athlete?.id ?? null,
    sameAs: athlete === null ? (sameId?.row ?? null) : null,
    leaveTeamId,
    consent: consent.consent,
    externalId: athlete && hasId(athlete, values.externalId) ? null : values.externalId,
  };
  const warnings = [
    ...consent.warnings,
    ...numberWarnings(read, athlete, context),
    ...namesakeWarnings(read, { namesakes, athlete, known, isSameId: sameId !== undefined }),
    ...(leaveTeamId === null ? [] : [words.willMove(elsewhere?.team ?? '', place.team)]),
  ];
  const isNew = athlete === null && !sameId;
  const changes = isNew ? [] : changesOf(athlete, read, consent.consent);
  return {
    row,
    cells,
    result: isNew ? 'created' : changes.length === 0 ? 'skipped' : 'updated',
    errors: [],
    warnings,
    // Of an athlete who moves, a warning says the first one.
    changes: leaveTeamId === null ? changes : changes.slice(1),
    athleteId: athlete?.id ?? null,
    isMoving: elsewhere !== null,
    plan,
  };
}

const sameTeam = (a: Read, b: Read) =>
  a.place.seasonId === b.place.seasonId && fold(a.place.team) === fold(b.place.team);

/** Whether two rows describe the same athlete: another number, address or id is another child. */
function isSameEntry(a: Read, b: Read): boolean {
  if (!sameTeam(a, b) || a.values.number !== b.values.number || a.values.externalId !== b.values.externalId)
    return false;
  const [one, two] = [a.values.emails, b.values.emails];
  return one.length === 0 || two.length === 0 || one.some((email) => two.includes(email));
}

function onAnotherTeam(
  values: RosterRow,
  place: Place,
  { athletes, teams }: Known,
  claimed: ReadonlyMap<number, number>,
) {
  if (athletes.length === 0) return null;
  const ofSeason = new Map(
    teams.filter(({ seasonId }) => seasonId === place.seasonId).map((team) => [team.id, team.name]),
  );
  const there = athletes.flatMap((athlete) => {
    const entry = athlete.entries.find(({ teamId }) => ofSeason.has(teamId));
    if (claimed.has(athlete.id) || !isNamed(athlete, values) || !entry) return [];
    return [{ athlete, teamId: entry.teamId, team: ofSeason.get(entry.teamId) ?? '' }];
  });
  // With two athletes of this name no one can say which one moves.
  return there.length === 1 ? (there[0] ?? null) : null;
}

/** A file does not loosen what a family or a member chose; beside a family's consent it is stored as the club's own. */
function decidedConsent(athlete: KnownAthlete | null, wanted: Consent | null) {
  if (wanted === null || athlete === null) return { consent: wanted, warnings: [] };
  const { consent, consentBy, clubConsent } = athlete;
  const isLooser = wanted !== consent && isOwnWord(consentBy) && strictestOf([wanted, consent]) === consent;
  const isKept = consentBy === 'family' ? clubConsent === wanted : isLooser;
  const decided = consentBy === 'family' ? words.FAMILY_DECIDED : words.MEMBER_DECIDED;
  return { consent: isKept ? null : wanted, warnings: isLooser ? [decided] : [] };
}

function numberWarnings({ values, place }: Read, athlete: KnownAthlete | null, { known, before }: Context): string[] {
  const { number } = values;
  if (number === null) return [];
  const there = known.wearers.find(
    (each) => each.teamId === place.teamId && each.number === number && each.id !== athlete?.id,
  );
  const [earlier] = before.get(numberKey(place, number)) ?? [];
  const other = there ?? (earlier && { id: 0, firstName: earlier.values.firstName, lastName: earlier.values.lastName });
  return other ? [numberTaken(place.team, number, labelOf(other))] : [];
}

type Namesakes = { namesakes: Read[]; athlete: KnownAthlete | null; known: Known; isSameId: boolean };

function namesakeWarnings({ place, values }: Read, { namesakes, athlete, known, isSameId }: Namesakes): string[] {
  const [first] = namesakes;
  if (first && !isSameId) return [words.sameName(first.row)];
  const isTwin = known.athletes.some((each) => each.id !== athlete?.id && isOn(each, values, place));
  return athlete === null && isTwin ? [words.sameNameAsOther] : [];
}

/** `athlete`: null for one of an earlier row, who is on this team, too. */
function changesOf(athlete: KnownAthlete | null, { values, place }: Read, consent: Consent | null): string[] {
  if (athlete === null) return [words.joins(labelOf({ id: 0, ...values }), place.team)];
  const name = labelOf(athlete);
  const { number, externalId, includedPhotos } = values;
  const entry = athlete.entries.find(({ teamId }) => teamId === place.teamId);
  const has = (what: string, value: string | number, before: string | number | null | undefined) =>
    words.has(name, `${what} ${value}`, before ?? null);
  return [
    ...(entry ? [] : [words.joins(name, place.team)]),
    ...(athlete.foldedName === values.foldedName ? [] : [words.renamed(fullName(athlete), fullName(values))]),
    ...(number === null || number === entry?.number ? [] : [has('number', number, entry?.number)]),
    ...consentChange(athlete, name, consent),
    ...(externalId === null || hasId(athlete, externalId) ? [] : [has('ID', externalId, athlete.externalId)]),
    ...(includedPhotos === null || includedPhotos === athlete.includedPhotos
      ? []
      : [words.includes(name, includedPhotos)]),
    ...values.emails.filter((email) => !athlete.emails.includes(email)).map((email) => words.newAddress(name, email)),
  ];
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim();

function consentChange({ consent: before, consentBy }: KnownAthlete, name: string, consent: Consent | null): string[] {
  if (consent !== null && consentBy === 'family') return [words.ownConsent(name, consent)];
  return consent === null || consent === before ? [] : [words.has(name, `consent ${consent}`, before)];
}

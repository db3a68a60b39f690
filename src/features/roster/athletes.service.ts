/**
 * Members of an organization manage its athletes. Names are returned only to them: the activity log and all other logs
 * contain only an athlete's id (decision record 0100).
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import { UNDO_DAYS } from '#src/features/roster/roster-care.contract.ts';
import { PLAYER_NUMBER } from '#src/features/photos/photos.contract.ts';
import * as words from '#src/features/roster/roster.contract.ts';
import * as rules from '#src/features/roster/roster.rules.ts';
import * as athletesSql from '#src/features/roster/athletes.sql.ts';
import { lockRoster } from '#src/features/roster/seasons.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedByPerson, editedOwner, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Reader, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { csvChunks } from '#src/shared/csv.ts';
import { readPages, pageOf } from '#src/shared/paging.ts';
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';
import { present } from '#src/shared/field-names.ts';
import { brokenConstraint, fieldProblem, notFound, problem, refuseFields } from '#src/shared/problem.ts';

/** How many photos a change hid, and how many it showed again. */
type ConsentEffect = { hidden: number; shown: number };
export type AthleteService = ReturnType<typeof createAthletes>;
type AthleteDeps = Pick<Platform, 'database' | 'clock'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  consent: Pick<ConsentService, 'changeConsents' | 'whileHiding'>;
};

/** The organization of an athlete, for someone who may edit the organization. @throws unauthenticated; not_found */
export const ownerOfAthlete = (ctx: Pick<AthleteDeps, 'database' | 'organizations'>, caller: Caller, id: number) =>
  editedOwner(
    ctx,
    caller,
    async (db) => (await athletesSql.findAthlete(db, id))?.organizationId ?? null,
    words.ATHLETE_NOT_FOUND,
  );

/** One athlete with the family's addresses and the athletes who were merged into it. @throws not_found */
export async function readWhole(db: Reader, id: number): Promise<words.WholeAthlete> {
  const row = await athletesSql.findAthlete(db, id);
  if (!row) throw notFound(words.ATHLETE_NOT_FOUND);
  const familyEmails = await athletesSql.listEmails(db, id);
  const merged = await athletesSql.listMerges(db, id, UNDO_DAYS);
  const merges = merged.map((each) => ({ athlete_id: each.id, name: rules.fullName(each) }));
  return present(words.wholeAthlete, { ...row, familyEmails, merges });
}

/** Converts a search; names are folded like the roster's. */
function searchOf({ season, team, q = '', consent }: words.AthletesQuery): athletesSql.AthleteSearch {
  const typed = q.trim();
  const isNumber = PLAYER_NUMBER.test(typed);
  return {
    seasonId: season ?? null,
    teamId: team ?? null,
    words: isNumber
      ? []
      : rules
          .foldName(typed)
          .split(' ')
          .filter((word) => word !== ''),
    number: isNumber ? typed : null,
    consent: consent ?? null,
  };
}

/** By name. @throws unauthenticated; not_found for other organizations */
export async function list(
  ctx: AthleteDeps,
  caller: Caller,
  organizationId: number,
  query: words.AthletesQuery = {},
): Promise<words.AthletesPage> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  const { after = null, limit = words.ATHLETES_PER_PAGE } = query;
  const search = searchOf(query);
  return ctx.database.read(tenantScope(owner.id), async (db) => {
    const rows = await athletesSql.listAthletes(db, owner.id, search, { after, limit: limit + 1 });
    const { shown, next } = pageOf(rows, limit);
    const total = await athletesSql.countAthletes(db, owner.id, search);
    return { athletes: shown.map((row) => present(words.athleteAnswer, row)), next, total };
  });
}

/** @throws unauthenticated; not_found for other organizations */
export async function read(ctx: AthleteDeps, caller: Caller, athleteId: number): Promise<words.WholeAthlete> {
  const owner = await ownerOfAthlete(ctx, caller, athleteId);
  return ctx.database.read(tenantScope(owner.id), (db) => readWhole(db, athleteId));
}

/** @throws invalid when a team is not the organization's, or is listed twice */
async function requireTeams(
  tx: Writer,
  owner: Organization,
  given: Pick<words.AthleteChanges, 'entries' | 'leave_teams'>,
) {
  const entered = (given.entries ?? []).map(({ team_id }) => team_id);
  const all = [...entered, ...(given.leave_teams ?? [])];
  if (new Set(all).size < all.length) throw fieldProblem({ entries: [words.TEAM_TWICE] });
  const found = await athletesSql.findTeams(tx, owner.id, all);
  const isForeign = (id: number) => !found.some((team) => team.id === id);
  refuseFields({
    entries: entered.some(isForeign) ? [words.TEAM_NOT_FOUND] : [],
    leave_teams: (given.leave_teams ?? []).some(isForeign) ? [words.TEAM_NOT_FOUND] : [],
  });
}

/** Applies the steps. A number that an athlete gets may hide photos with it: their pictures are purged from the CDN. */
export async function writeSteps(
  { whileHiding }: Pick<ConsentService, 'whileHiding'>,
  tx: Writer,
  organizationId: number,
  steps: readonly athletesSql.StepOf[],
): Promise<void> {
  const photoIds = steps.length === 0 ? [] : await athletesSql.listPhotosWithNumbers(tx, steps);
  await whileHiding(tx, photoIds, () => athletesSql.writeEntries(tx, organizationId, steps));
}

async function writeEntries(
  ctx: AthleteDeps,
  tx: Writer,
  owner: Organization,
  id: number,
  given: words.AthleteChanges,
) {
  const today = machineDay(ctx.clock.now(), owner.timeZone);
  const entries = await athletesSql.listCurrentEntries(tx, [id]);
  const wanted = { entries: given.entries ?? [], leave: given.leave_teams ?? [] };
  const steps = rules.entrySteps(entries, wanted, { today, yesterday: addDays(today, -1) });
  const joins = steps.filter((step) => step.do === 'join').length;
  const leaves = steps.filter((step) => step.do === 'leave' || step.do === 'remove').length;
  if (entries.length + joins - leaves > words.MAX_ENTRIES) throw fieldProblem({ entries: [words.TOO_MANY_ENTRIES] });
  await writeSteps(
    ctx.consent,
    tx,
    owner.id,
    steps.map((step) => ({ ...step, athleteId: id })),
  );
}

async function warningsOf(db: Reader, id: number): Promise<string[]> {
  const twins = await athletesSql.listNumberTwins(db, id);
  return twins.map((twin) => words.numberTaken(twin.team, twin.number, rules.labelOf(twin)));
}

const emailsOf = (given: readonly string[]) => [...new Set(given.map((email) => email.toLowerCase()))];

type Names = Pick<words.AthleteChanges, 'first_name' | 'last_name' | 'external_id'>;

/** The given names, and for absent ones the previous. */
function namesOf(given: Names, before: { [Name in keyof Names]: Names[Name] | null } = {}): athletesSql.AthleteNames {
  const firstName = given.first_name ?? before.first_name ?? '';
  const lastName = given.last_name ?? before.last_name ?? '';
  const externalId = given.external_id === undefined ? before.external_id : given.external_id;
  return { firstName, lastName, foldedName: rules.foldName(firstName, lastName), externalId: externalId || null };
}

/**
 * Adds an athlete, who may have the name or the number of another one.
 * @throws unauthenticated; not_found for other organizations; invalid; conflict for a full roster
 */
export async function add(
  ctx: AthleteDeps,
  caller: Caller,
  organizationId: number,
  given: words.NewAthlete,
): Promise<words.SavedAthlete> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    await lockRoster(tx, owner.id);
    if ((await athletesSql.countAthletes(tx, owner.id, athletesSql.EVERYONE)) >= words.MAX_ATHLETES)
      throw problem('conflict', words.TOO_MANY_ATHLETES);
    await requireTeams(tx, owner, given);
    const id = await athletesSql.insertAthlete(tx, owner.id, namesOf(given));
    if (id === null) throw fieldProblem({ external_id: [words.EXTERNAL_ID_TAKEN] });
    await writeEntries(ctx, tx, owner, id, given);
    await athletesSql.replaceEmails(tx, { id, organizationId: owner.id }, emailsOf(given.family_emails ?? []));
    const { consent = 'unknown' } = given;
    await ctx.consent.changeConsents(tx, { organizationId: owner.id, athleteIds: [id], consent, by: 'member' });
    await record(ctx, tx, caller, owner, { id, done: 'added', details: { consent } });
    return { athlete: await readWhole(tx, id), warnings: await warningsOf(tx, id) };
  });
}

/** @throws conflict with the current athlete */
function refuseUnseen(seen: words.SeenAthlete, now: words.WholeAthlete): void {
  const { first_name, last_name, consent, external_id } = now;
  const saw = { first_name: first_name ?? '', last_name: last_name ?? '', consent, external_id };
  const fields = rules.fieldsChangedSince(seen, saw);
  if (fields.length === 0) return;
  const errors = Object.fromEntries(fields.map((field) => [field, [words.changedMeanwhile(words.FIELD_NAMES[field])]]));
  throw problem('conflict', words.ATHLETE_CHANGED, { errors, extra: { athlete: now } });
}

/**
 * Changes the given fields of an athlete, and hides and shows photos for a new consent, in one transaction.
 * @throws unauthenticated; not_found; conflict when a field has changed from `seen`; invalid
 */
export async function change(
  ctx: AthleteDeps,
  caller: Caller,
  athleteId: number,
  { athlete: given, seen = {} }: words.AthleteChangesBody,
): Promise<words.ChangedAthlete> {
  const owner = await ownerOfAthlete(ctx, caller, athleteId);
  const write = async (tx: Writer) => {
    await athletesSql.lockAthlete(tx, athleteId);
    const before = await readWhole(tx, athleteId);
    if (before.first_name === null) throw notFound(words.ATHLETE_NOT_FOUND);
    refuseUnseen(seen, before);
    await requireTeams(tx, owner, given);
    await athletesSql.updateNames(tx, athleteId, namesOf(given, before));
    await writeEntries(ctx, tx, owner, athleteId, given);
    if (given.family_emails)
      await athletesSql.replaceEmails(tx, { id: athleteId, organizationId: owner.id }, emailsOf(given.family_emails));
    const { consent = before.consent } = given;
    const change = { organizationId: owner.id, athleteIds: [athleteId], consent, by: 'member' as const };
    const { hidden, shown } =
      consent === before.consent ? { hidden: 0, shown: 0 } : await ctx.consent.changeConsents(tx, change);
    const effect = { hidden, shown };
    await record(ctx, tx, caller, owner, { id: athleteId, done: 'changed', details: detailsOf(given, before, effect) });
    return { athlete: await readWhole(tx, athleteId), warnings: await warningsOf(tx, athleteId), ...effect };
  };
  try {
    return await ctx.database.write(tenantScope(owner.id), write);
  } catch (error) {
    throw brokenConstraint(error) === 'athletes_external_id'
      ? fieldProblem({ external_id: [words.EXTERNAL_ID_TAKEN] })
      : error;
  }
}

/** The changed fields, and the consent before and after; never a name, a number or an address. */
function detailsOf(given: words.AthleteChanges, before: words.WholeAthlete, effect: ConsentEffect) {
  const { consent = before.consent } = given;
  const fields = Object.keys(given).filter((field) => field !== 'consent');
  return {
    ...(fields.length > 0 ? { fields } : {}),
    ...(consent === before.consent ? {} : { before: before.consent, after: consent, ...effect }),
  };
}

type AuditedChange = { id: number; done: string; details?: { [name: string]: string | number | string[] } };

/** Writes to the activity log; entries contain nothing that would have to be forgotten. */
function record(
  ctx: AthleteDeps,
  tx: Writer,
  caller: Caller,
  owner: Organization,
  { id, done, details = {} }: AuditedChange,
) {
  const action = `athlete.${done}`;
  return ctx.audit.record(tx, caller, { action, organizationId: owner.id, object: ['athlete', id], details });
}

const FILE_HEAD = ['First name', 'Last name', 'Number', 'Team', 'Season', 'Family email', 'Consent', 'ID'];
const ROWS_OF_A_FILE = 500;

/**
 * A CSV file with a row for each team of each athlete, streamed; it can be imported again.
 * @throws unauthenticated; not_found for other organizations
 */
export async function file(
  ctx: AthleteDeps,
  caller: Caller,
  organizationId: number,
  { season }: { season?: number | undefined },
): Promise<AsyncGenerator<string>> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  const pages = readPages(ROWS_OF_A_FILE, (after: athletesSql.FileRow | null) =>
    ctx.database.read(tenantScope(owner.id), (db) =>
      athletesSql.listFileRows(db, owner.id, season ?? null, { after, limit: ROWS_OF_A_FILE }),
    ),
  );
  return csvChunks(FILE_HEAD, pages, (row) => [
    row.firstName,
    row.lastName,
    row.number ?? '',
    row.team ?? '',
    row.season ?? '',
    row.emails ?? '',
    row.consent,
    row.externalId ?? '',
  ]);
}

export const createAthletes = (deps: AthleteDeps) => bind(deps, { list, read, add, change, file });

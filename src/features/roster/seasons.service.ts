/** Members of an organization manage its seasons and their teams. Only they can read them. */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { countOutdated } from '#src/features/roster/forgetting.sql.ts';
import { SEASONS_KEPT, wouldForget, YEARS_KEPT } from '#src/features/roster/roster-care.contract.ts';
import * as words from '#src/features/roster/roster.contract.ts';
import { MAX_SEASON_DAYS, schoolYearOf, seasonOf, shortNamesOf } from '#src/features/roster/roster.rules.ts';
import * as seasonsSql from '#src/features/roster/seasons.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedByPerson, editedOwner, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Reader, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';
import { daysIn } from '#src/shared/day-range.ts';
import { present } from '#src/shared/field-names.ts';
import {
  fieldProblem,
  isStillReferenced,
  notFound,
  problem,
  refuseFields,
  type FieldErrors,
} from '#src/shared/problem.ts';

export type SeasonService = ReturnType<typeof createSeasons>;
type SeasonDeps = Pick<Platform, 'database' | 'clock'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};

async function presented(ctx: SeasonDeps, db: Reader, owner: Organization): Promise<words.SeasonAnswer[]> {
  const rows = await seasonsSql.listSeasons(db, owner.id);
  const current = seasonOf(rows, machineDay(ctx.clock.now(), owner.timeZone));
  return rows.map((row) => present(words.seasonAnswer, { ...row, current: row.id === current?.id }));
}

async function presentedSeason(ctx: SeasonDeps, db: Reader, owner: Organization, id: number) {
  const season = (await presented(ctx, db, owner)).find((each) => each.id === id);
  if (!season) throw new Error('the season is not there');
  return season;
}

/** All seasons, newest first. @throws unauthenticated; not_found for other organizations */
export async function list(ctx: SeasonDeps, caller: Caller, organizationId: number) {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return { seasons: await ctx.database.read(tenantScope(owner.id), (db) => presented(ctx, db, owner)) };
}

function seasonProblems({ first_day, last_day }: words.NewSeason): FieldErrors {
  if (last_day < first_day) return { last_day: [words.DAYS_CROSSED] };
  return daysIn({ from: first_day, to: last_day }) > MAX_SEASON_DAYS ? { last_day: [words.SEASON_TOO_LONG] } : {};
}

/** Adds a season in the caller's transaction; returns its id. @throws invalid; conflict when the limit is reached */
export async function addSeason(tx: Writer, owner: Organization, season: words.NewSeason): Promise<number> {
  refuseFields(seasonProblems(season));
  await seasonsSql.lockRoster(tx, owner.id);
  if ((await seasonsSql.listSeasons(tx, owner.id)).length >= words.MAX_SEASONS)
    throw problem('conflict', words.TOO_MANY_SEASONS);
  const id = await seasonsSql.insertSeason(tx, { organization_id: owner.id, ...season });
  if (id === null) throw fieldProblem({ name: [words.SEASON_NAME_TAKEN] });
  return id;
}

/** The season of today, in the caller's transaction, created if the organization has none; returns its id. */
export async function currentSeason(tx: Writer, owner: Organization, now: Date): Promise<number> {
  const today = machineDay(now, owner.timeZone);
  const current = seasonOf(await seasonsSql.listSeasons(tx, owner.id), today);
  return current?.id ?? addSeason(tx, owner, schoolYearOf(today));
}

/** @throws unauthenticated; not_found for other organizations; invalid; conflict */
export async function make(
  ctx: SeasonDeps,
  caller: Caller,
  organizationId: number,
  season: words.NewSeason,
): Promise<words.SeasonAnswer> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const id = await addSeason(tx, owner, season);
    await ctx.audit.record(tx, caller, {
      action: 'season.made',
      organizationId: owner.id,
      object: ['season', id],
      details: season,
    });
    return presentedSeason(ctx, tx, owner, id);
  });
}

/** The teams of a season, or of all. @throws unauthenticated; not_found for other organizations */
export async function listTeams(
  ctx: SeasonDeps,
  caller: Caller,
  organizationId: number,
  { season }: { season?: number | undefined } = {},
) {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  const rows = await ctx.database.read(tenantScope(owner.id), (db) =>
    seasonsSql.listTeams(db, owner.id, season ?? null),
  );
  return { teams: rows.map((row) => present(words.teamAnswer, row)) };
}

/**
 * Adds a team in the caller's transaction, which has locked the roster; returns its id, or null when the season already
 * has this name.
 */
export async function addTeam(
  tx: Writer,
  owner: Organization,
  seasonId: number,
  team: words.NewTeam,
): Promise<number | null> {
  const others = await seasonsSql.listTeams(tx, owner.id, seasonId);
  const taken = others.map((other) => other.shortName);
  const [shortName = team.name] = shortNamesOf([team.name], taken);
  return seasonsSql.insertTeam(tx, {
    organization_id: owner.id,
    season_id: seasonId,
    name: team.name,
    short_name: team.short_name ?? shortName,
    color: team.color ?? null,
  });
}

/** @throws unauthenticated; not_found for other organizations and for a season of another one; invalid; conflict */
export async function makeTeam(
  ctx: SeasonDeps,
  caller: Caller,
  organizationId: number,
  team: words.NewTeam,
): Promise<words.TeamAnswer> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    await seasonsSql.lockRoster(tx, owner.id);
    const seasonId = team.season_id ?? (await currentSeason(tx, owner, ctx.clock.now()));
    const season = (await seasonsSql.listSeasons(tx, owner.id)).find(({ id }) => id === seasonId);
    if (!season) throw fieldProblem({ season_id: [words.SEASON_NOT_FOUND] });
    if (season.teams >= words.MAX_TEAMS) throw problem('conflict', words.TOO_MANY_TEAMS);
    const id = await addTeam(tx, owner, season.id, team);
    if (id === null) throw fieldProblem({ name: [words.TEAM_NAME_TAKEN] });
    await ctx.audit.record(tx, caller, {
      action: 'team.made',
      organizationId: owner.id,
      object: ['team', id],
      details: { name: team.name, season: season.name },
    });
    const made = (await seasonsSql.listTeams(tx, owner.id, season.id)).find((each) => each.id === id);
    if (!made) throw new Error('the team is not there');
    return present(words.teamAnswer, made);
  });
}

const PARTS = {
  season: { table: 'seasons', missing: words.SEASON_NOT_FOUND, inUse: words.SEASON_IN_USE },
  team: { table: 'teams', missing: words.TEAM_NOT_FOUND, inUse: words.TEAM_IN_USE },
} as const;
type Part = keyof typeof PARTS;

/** Changes a season or a team under the lock of its roster, and logs it. */
async function withPart<Result>(
  ctx: SeasonDeps,
  caller: Caller,
  { part, id, done, details = {} }: { part: Part; id: number; done: string; details?: object },
  work: (tx: Writer, owner: Organization) => Promise<Result>,
): Promise<Result> {
  const { table, missing } = PARTS[part];
  const owner = await editedOwner(ctx, caller, (db) => seasonsSql.findOwner(db, table, id), missing);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    await seasonsSql.lockRoster(tx, owner.id);
    const result = await work(tx, owner);
    const action = `${part}.${done}`;
    await ctx.audit.record(tx, caller, {
      action,
      organizationId: owner.id,
      object: [part, id],
      details: { ...details },
    });
    return result;
  });
}

const isNamed = (name: string) => (other: { name: string }) => other.name.toLowerCase() === name.toLowerCase();

/**
 * Changes the name or the days, unless the new days would delete the names of its athletes.
 * @throws unauthenticated; not_found; invalid
 */
export async function changeSeason(
  ctx: SeasonDeps,
  caller: Caller,
  id: number,
  given: words.SeasonChanges,
): Promise<words.SeasonAnswer> {
  return withPart(ctx, caller, { part: 'season', id, done: 'changed', details: given }, async (tx, owner) => {
    const all = await seasonsSql.listSeasons(tx, owner.id);
    const before = all.find((each) => each.id === id);
    if (!before) throw notFound(words.SEASON_NOT_FOUND);
    const { name = before.name, first_day = before.firstDay, last_day = before.lastDay } = given;
    refuseFields(seasonProblems({ name, first_day, last_day }));
    if (all.some((each) => each.id !== id && isNamed(name)(each)))
      throw fieldProblem({ name: [words.SEASON_NAME_TAKEN] });
    const kept = { seasonId: id, seasons: SEASONS_KEPT, years: YEARS_KEPT, now: ctx.clock.now() };
    const outdated = await countOutdated(tx, kept);
    await seasonsSql.updateSeason(tx, id, { name, first_day, last_day });
    const more = (await countOutdated(tx, kept)) - outdated;
    if (more > 0) throw fieldProblem({ last_day: [wouldForget(more)] });
    return presentedSeason(ctx, tx, owner, id);
  });
}

/** Changes the name or the color; tags, cards and links stay. @throws unauthenticated; not_found; invalid */
export async function changeTeam(
  ctx: SeasonDeps,
  caller: Caller,
  id: number,
  given: words.TeamChanges,
): Promise<words.TeamAnswer> {
  return withPart(ctx, caller, { part: 'team', id, done: 'changed', details: given }, async (tx, owner) => {
    const all = await seasonsSql.listTeams(tx, owner.id, null);
    const before = all.find((each) => each.id === id);
    if (!before) throw notFound(words.TEAM_NOT_FOUND);
    const { name = before.name, short_name = before.shortName, color = before.color } = given;
    if (all.some((each) => each.id !== id && each.seasonId === before.seasonId && isNamed(name)(each)))
      throw fieldProblem({ name: [words.TEAM_NAME_TAKEN] });
    await seasonsSql.updateTeam(tx, id, { name, short_name, color });
    return present(words.teamAnswer, { ...before, name, shortName: short_name, color });
  });
}

async function remove(ctx: SeasonDeps, caller: Caller, part: Part, id: number): Promise<void> {
  const deleted = part === 'season' ? seasonsSql.deleteSeason : seasonsSql.deleteTeam;
  try {
    await withPart(ctx, caller, { part, id, done: 'deleted' }, (tx) => deleted(tx, id));
  } catch (error) {
    throw isStillReferenced(error) ? problem('conflict', PARTS[part].inUse) : error;
  }
}

/** Deletes a season without teams. @throws unauthenticated; not_found; conflict when it has teams */
const removeSeason = (ctx: SeasonDeps, caller: Caller, id: number) => remove(ctx, caller, 'season', id);

/** Deletes a team that was never used. @throws unauthenticated; not_found; conflict when it was */
const removeTeam = (ctx: SeasonDeps, caller: Caller, id: number) => remove(ctx, caller, 'team', id);

export const createSeasons = (deps: SeasonDeps) =>
  bind(deps, { list, make, changeSeason, removeSeason, listTeams, makeTeam, changeTeam, removeTeam });

/**
 * Members of an organization import its roster from a file. The whole file is read and checked first, and each row is
 * assigned to an athlete. The worker then writes the rows in batches: after a crash the current batch is written again.
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { NO_VALID_ROWS } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { whenOver } from '#src/features/bulk-imports/bulk-imports.service.ts';
import type { Source } from '#src/features/bulk-imports/file-reading.service.ts';
import { openFile, type OpenFile, type PlannedFile } from '#src/features/roster-imports/open-file.service.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterImportAnswer, RosterQuery } from '#src/features/roster-imports/roster-imports.contract.ts';
import { importRosterJob } from '#src/features/roster-imports/roster-imports.jobs.ts';
import { answerOf, checkedAnswer, resultFile } from '#src/features/roster-imports/import-answers.rules.ts';
import * as importsSql from '#src/features/roster-imports/roster-imports.sql.ts';
import type { Known } from '#src/features/roster-imports/plan-roster.rules.ts';
import { createRosterWork, type RosterWorkDeps } from '#src/features/roster-imports/roster-work.service.ts';
import { MAX_ATHLETES, SEASON_NOT_FOUND, TOO_MANY_ATHLETES } from '#src/features/roster/roster.contract.ts';
import { schoolYearOf, seasonOf } from '#src/features/roster/roster.rules.ts';
import { countAthletes, EVERYONE } from '#src/features/roster/athletes.sql.ts';
import { currentSeason } from '#src/features/roster/seasons.service.ts';
import * as seasonsSql from '#src/features/roster/seasons.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, editedByPerson, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import { tenantScope, type Reader, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay, HOUR_SECONDS } from '#src/shared/dates.ts';
import { fieldProblem, notFound, problem } from '#src/shared/problem.ts';
import { readPages, type PageQuery } from '#src/shared/paging.ts';

export type RosterImportService = ReturnType<typeof createRosterImports>;
type RosterImportDeps = RosterWorkDeps & {
  clock: Clock;
  limits: Limits;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};

const SYSTEM: Scope = { kind: 'system', why: 'the organization of an import is found by its id' };
/** Files of one organization that are read in an hour, including dry runs. */
const FILES_AN_HOUR = 120;
const ROWS_A_STATEMENT = 500;
const RECENT = 5;

type PlanRequest = Pick<RosterQuery, 'season_id' | 'team' | 'limit' | 'moves'> & {
  /** Only the answer is wanted. */
  isDry: boolean;
};

/** Plans an import without writing. @throws invalid for a season that is not the organization's, and for too many teams */
async function plan(
  ctx: RosterImportDeps,
  db: Reader,
  owner: Organization,
  file: OpenFile,
  { season_id, team = '', moves, limit, isDry }: PlanRequest,
): Promise<PlannedFile> {
  const today = machineDay(ctx.clock.now(), owner.timeZone);
  const seasons = await seasonsSql.listSeasons(db, owner.id);
  const season = season_id === undefined ? seasonOf(seasons, today) : seasons.find(({ id }) => id === season_id);
  if (season_id !== undefined && !season) throw fieldProblem({ season_id: [SEASON_NOT_FOUND] });
  const teams = await seasonsSql.listTeamNames(db, owner.id);
  const { names, externalIds, teams: namedTeams } = file.wanted;
  const named = new Set([team.trim(), ...namedTeams].map((name) => name.toLowerCase()));
  const teamIds = teams.flatMap(({ id, name }) => (named.has(name.toLowerCase()) ? [id] : []));
  const found = await importsSql.readKnown(db, owner.id, { names, externalIds, teamIds });
  // A season that does not exist yet has the id 0.
  const known: Known = { ...found, teams, seasons: season ? seasons : [{ id: 0, name: schoolYearOf(today).name }] };
  const options = { seasonId: season?.id ?? 0, team: team.trim(), moves: moves ?? null, limit, isDry };
  return file.plan({ known, options });
}

/** Does something with a file that was read. */
async function withFile<Result>(
  ctx: RosterImportDeps,
  owner: Organization,
  { source, query }: { source: Source; query: RosterQuery },
  work: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  await ctx.limits.take({ bucket: `roster-files:${owner.id}`, limit: FILES_AN_HOUR, windowSeconds: HOUR_SECONDS });
  const file = await openFile(source, query);
  try {
    return await work(file);
  } finally {
    file.close();
  }
}

/** A dry run: what a file would do, and how its columns are read. @throws unauthenticated; not_found; invalid; too_many */
export async function check(
  ctx: RosterImportDeps,
  caller: Caller,
  source: Source,
  query: RosterQuery,
): Promise<RosterImportAnswer> {
  const owner = await editedByPerson(ctx.organizations, caller, query.affiliate_id);
  return withFile(ctx, owner, { source, query }, async (file) => {
    if (file.asks.length > 0) return checkedAnswer(file, [], []);
    const { answer: checked } = await ctx.database.read(tenantScope(owner.id), (db) =>
      plan(ctx, db, owner, file, { ...query, isDry: true }),
    );
    if (checked === null) throw new Error('A dry run has an answer.');
    return checked;
  });
}

/**
 * Starts the import of all valid rows; the others are reported as failed.
 * @throws as `check`; invalid with `rows` when none is valid; conflict with the `import_id` of a running import
 */
export async function start(
  ctx: RosterImportDeps,
  caller: Caller,
  source: Source,
  query: RosterQuery,
): Promise<number> {
  const { userId } = requireUser(caller.actor);
  const owner = await editedByPerson(ctx.organizations, caller, query.affiliate_id);
  return withFile(ctx, owner, { source, query }, async (file) => {
    if (file.asks.length > 0) throw fieldProblem({ columns: file.asks });
    return ctx.database.write(tenantScope(owner.id), async (tx) => {
      await seasonsSql.lockRoster(tx, owner.id);
      const running = await importsSql.findRunning(tx, owner.id);
      if (running !== null) throw problem('conflict', words.IMPORT_RUNNING, { extra: { import_id: running } });
      const seasonId = query.season_id ?? (await currentSeason(tx, owner, ctx.clock.now()));
      const planned = await plan(ctx, tx, owner, file, { ...query, season_id: seasonId, isDry: false });
      return begin(ctx, tx, caller, { owner, userId, planned });
    });
  });
}

async function begin(
  ctx: RosterImportDeps,
  tx: Writer,
  caller: Caller,
  { owner, userId, planned }: { owner: Organization; userId: number; planned: PlannedFile },
): Promise<number> {
  if (planned.batches === null)
    throw problem('invalid', NO_VALID_ROWS, {
      errors: { file: [NO_VALID_ROWS] },
      extra: { rows: planned.answer.rows },
    });
  const { rows, valid, newAthletes, newTeams, batches } = planned;
  if ((await countAthletes(tx, owner.id, EVERYONE)) + newAthletes > MAX_ATHLETES)
    throw problem('conflict', TOO_MANY_ATHLETES);
  const importId = await importsSql.insertImport(tx, { organizationId: owner.id, startedBy: userId, rowCount: rows });
  if (importId === null) throw problem('conflict', words.IMPORT_RUNNING);
  for (const batch of batches) await importsSql.insertRows(tx, { importId, organizationId: owner.id }, batch);
  await ctx.audit.record(tx, caller, {
    action: 'roster_import.started',
    organizationId: owner.id,
    object: ['roster_import', importId],
    details: { rows, valid, new_athletes: newAthletes, new_teams: newTeams },
  });
  await ctx.jobs.enqueue(tx, importRosterJob, { importId });
  return importId;
}

async function ownerOfImport(ctx: RosterImportDeps, caller: Caller, importId: number): Promise<Organization> {
  requireUser(caller.actor);
  const found = await ctx.database.read(SYSTEM, (db) => importsSql.findImport(db, importId));
  if (!found) throw notFound();
  return editedBy(ctx.organizations, caller, found.organizationId);
}

/** An import with its rows after a row. */
async function answer(
  ctx: RosterImportDeps,
  owner: Organization,
  importId: number,
  { after = 0, limit = 10_000 }: PageQuery,
) {
  return ctx.database.read(tenantScope(owner.id), async (db) => {
    const found = await importsSql.findImport(db, importId);
    if (!found) throw notFound();
    return answerOf(
      found,
      limit === 0 ? [] : await importsSql.listRows(db, importId, { after, limit, columnsFor: 'answer' }),
    );
  });
}

/** The status of an import, with its rows after a row. @throws unauthenticated; not_found for other organizations */
async function readOne(ctx: RosterImportDeps, caller: Caller, importId: number, page: PageQuery = {}) {
  return answer(ctx, await ownerOfImport(ctx, caller, importId), importId, page);
}

/** The same, once the import has ended or after these seconds. @throws as `readOne` */
export async function readWhenOver(ctx: RosterImportDeps, caller: Caller, importId: number, waitSeconds: number) {
  const owner = await ownerOfImport(ctx, caller, importId);
  return whenOver(waitSeconds, (page) => answer(ctx, owner, importId, page));
}

/** The newest imports, without their rows. @throws unauthenticated; not_found for other organizations */
export async function recent(
  ctx: RosterImportDeps,
  caller: Caller,
  organizationId: number,
): Promise<RosterImportAnswer[]> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  const found = await ctx.database.read(tenantScope(owner.id), (db) => importsSql.listRecent(db, owner.id, RECENT));
  return found.map((each) => answerOf(each, []));
}

/** A CSV file with the result of each row, streamed; with `onlyFailed` only failed ones. @throws unauthenticated; not_found */
export async function fileOfResults(ctx: RosterImportDeps, caller: Caller, importId: number, onlyFailed: boolean) {
  const owner = await ownerOfImport(ctx, caller, importId);
  const page = { limit: ROWS_A_STATEMENT, columnsFor: onlyFailed ? ('failed file' as const) : ('file' as const) };
  const pages = readPages(page.limit, (last: importsSql.RowRecord | null) =>
    ctx.database.read(tenantScope(owner.id), (db) =>
      importsSql.listRows(db, importId, { ...page, after: last?.row ?? 0 }),
    ),
  );
  return resultFile(pages);
}

/** Handler of `forgetRosterRowsJob`; returns the number of imports. */
export async function forget(ctx: RosterImportDeps): Promise<number> {
  return ctx.database.write(SYSTEM, (tx) => importsSql.forgetRows(tx, words.CELLS_KEPT_DAYS));
}

export const createRosterImports = (deps: RosterImportDeps) => ({
  ...createRosterWork(deps),
  ...bind(deps, { check, start, read: readOne, readWhenOver, recent, resultFile: fileOfResults, forget }),
});

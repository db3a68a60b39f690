/**
 * The worker writes the rows of a roster in batches. A row is reported as imported once its athlete, team, number,
 * addresses and consent are written.
 */
import { setTimeout as pause } from 'node:timers/promises';
import * as allowancesSql from '#src/features/allowances/allowances.sql.ts';
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { ATHLETE_GONE, STOPPED } from '#src/features/roster-imports/roster-imports.contract.ts';
import { importRosterJob } from '#src/features/roster-imports/roster-imports.jobs.ts';
import * as importsSql from '#src/features/roster-imports/roster-imports.sql.ts';
import { readRow } from '#src/features/roster-imports/roster-rows.rules.ts';
import * as writesSql from '#src/features/roster-imports/roster-writes.sql.ts';
import { writeSteps } from '#src/features/roster/athletes.service.ts';
import * as athletesSql from '#src/features/roster/athletes.sql.ts';
import { MAX_EMAILS } from '#src/features/roster/roster.contract.ts';
import { entrySteps, shortNamesOf } from '#src/features/roster/roster.rules.ts';
import { listTeamNames, lockRoster } from '#src/features/roster/seasons.sql.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantOf, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';

export type RosterWorkDeps = Pick<Platform, 'database' | 'jobs' | 'clock'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  consent: Pick<ConsentService, 'changeConsents' | 'whileHiding'>;
};

const SYSTEM: Scope = { kind: 'system', why: 'the worker imports for the organization that began it' };
const ROWS_AT_A_TIME = 100;
/** After this time the next job continues, so that two imports share the worker. */
const SLICE_MS = 20_000;
/**
 * After each batch it rests eight times as long as the batch took, so that visitors find free cores on a small machine
 * (speed P20).
 */
const REST = 8;
const MAX_REST_MS = 1_000;

type Due = importsSql.WaitingRow & { values: ReturnType<typeof readRow>['values']; athleteId: number };

/** Rows with an athlete, including the ids of new ones. */
async function withAthletes(
  tx: Writer,
  organizationId: number,
  waiting: readonly importsSql.WaitingRow[],
): Promise<Due[]> {
  const rows = waiting.filter(({ isGone }) => !isGone).map((row) => ({ ...row, values: readRow(row.cells).values }));
  const fresh = rows.filter(({ plan }) => plan.athleteId === null && plan.sameAs === null);
  const made = await writesSql.insertAthletes(
    tx,
    organizationId,
    fresh.map(({ row, values }) => ({ row, ...values })),
  );
  return rows.flatMap((row) => {
    const { athleteId, sameAs } = row.plan;
    const id = athleteId ?? made.get(sameAs ?? row.row) ?? row.sameAsId;
    return id === null || id === undefined ? [] : [{ ...row, athleteId: id }];
  });
}

async function writeTeams(tx: Writer, organizationId: number, rows: readonly Due[]): Promise<Map<string, number>> {
  const keyOf = (seasonId: number, name: string) => `${seasonId} ${name.toLowerCase()}`;
  const wanted = new Map(rows.map(({ plan }) => [keyOf(plan.seasonId, plan.team), plan]));
  const read = async () => {
    const teams = await listTeamNames(tx, organizationId);
    return { teams, ids: new Map(teams.map((team) => [keyOf(team.seasonId, team.name), team.id])) };
  };
  const { teams, ids } = await read();
  const fresh = [...wanted].flatMap(([key, plan]) => (ids.has(key) ? [] : [plan]));
  if (fresh.length === 0) return ids;
  const named = [...Map.groupBy(fresh, ({ seasonId }) => seasonId)].flatMap(([seasonId, plans]) => {
    const taken = teams.flatMap((team) => (team.seasonId === seasonId ? [team.shortName] : []));
    const names = plans.map(({ team }) => team);
    return shortNamesOf(names, taken).map((shortName, at) => ({ seasonId, name: names[at] ?? '', shortName }));
  });
  await writesSql.insertTeams(tx, organizationId, named);
  return (await read()).ids;
}

async function writeEntries(
  ctx: RosterWorkDeps,
  tx: Writer,
  organizationId: number,
  { rows, today }: { rows: readonly Due[]; today: string },
): Promise<void> {
  const teams = await writeTeams(tx, organizationId, rows);
  const current = await athletesSql.listCurrentEntries(tx, [...new Set(rows.map(({ athleteId }) => athleteId))]);
  const seen = new Set<string>();
  const steps = rows.flatMap(({ athleteId, plan, values }) => {
    const teamId = teams.get(`${plan.seasonId} ${plan.team.toLowerCase()}`);
    // An athlete joins a team once, even if the file has it twice.
    if (teamId === undefined || seen.has(`${athleteId} ${teamId}`)) return [];
    seen.add(`${athleteId} ${teamId}`);
    const own = current.filter((entry) => entry.athleteId === athleteId);
    const entries = [{ team_id: teamId, ...(values.number === null ? {} : { number: values.number }) }];
    const leave = plan.leaveTeamId === null ? [] : [plan.leaveTeamId];
    return entrySteps(own, { entries, leave }, { today, yesterday: addDays(today, -1) }).map((step) => ({
      ...step,
      athleteId,
    }));
  });
  await writeSteps(ctx.consent, tx, organizationId, steps);
}

async function writeRows(
  ctx: RosterWorkDeps,
  tx: Writer,
  organizationId: number,
  waiting: readonly importsSql.WaitingRow[],
): Promise<importsSql.RowEnd[]> {
  const owner = await ctx.organizations.byId(organizationId);
  const today = machineDay(ctx.clock.now(), owner?.timeZone);
  const rows = await withAthletes(tx, organizationId, waiting);
  const known = rows.filter(({ plan }) => plan.athleteId !== null);
  await writesSql.updateAthletes(
    tx,
    known.map(({ athleteId, plan, values }) => ({ id: athleteId, ...values, externalId: plan.externalId })),
  );
  await writeEntries(ctx, tx, organizationId, { rows, today });
  const emails = rows.flatMap(({ athleteId, values }) => values.emails.map((email) => ({ athleteId, email })));
  await writesSql.addEmails(tx, organizationId, { emails, most: MAX_EMAILS });
  const consents = Map.groupBy(
    rows.filter(({ plan }) => plan.consent !== null),
    ({ plan }) => plan.consent as Consent,
  );
  for (const [consent, some] of consents) {
    const athleteIds = [...new Set(some.map(({ athleteId }) => athleteId))];
    await ctx.consent.changeConsents(tx, { organizationId, athleteIds, consent, by: 'import' });
  }
  const included = Map.groupBy(rows, ({ values }) => values.includedPhotos);
  for (const [photos, some] of included) {
    if (photos === null) continue;
    const athleteIds = [...new Set(some.map(({ athleteId }) => athleteId))];
    await allowancesSql.raiseAllowances(tx, { organizationId, athleteIds, photos });
  }
  const ids = new Map(rows.map(({ row, athleteId }) => [row, athleteId]));
  return waiting.map(({ row, plan }) => {
    const athleteId = ids.get(row) ?? null;
    if (athleteId === null) return { row, result: 'failed', messages: [ATHLETE_GONE], athleteId };
    const isNew = plan.athleteId === null && plan.sameAs === null;
    return { row, result: isNew ? 'created' : 'updated', messages: [], athleteId };
  });
}

/** Writes one batch; true while rows are left. */
async function workOnce(ctx: RosterWorkDeps, importId: number, organizationId: number): Promise<boolean> {
  return ctx.database.write(tenantOf({ organizationId }), async (tx) => {
    if (!(await importsSql.lockImport(tx, importId))) return false;
    await lockRoster(tx, organizationId);
    await writesSql.avoidTableScans(tx);
    const waiting = await importsSql.listWaiting(tx, importId, ROWS_AT_A_TIME);
    if (waiting.length > 0) await importsSql.endRows(tx, importId, await writeRows(ctx, tx, organizationId, waiting));
    if (waiting.length === ROWS_AT_A_TIME) {
      crashAt('roster.piece');
      return true;
    }
    await importsSql.endImport(tx, importId, 'finished');
    return false;
  });
}

/**
 * Handler of `importRosterJob`: works for some seconds, then queues the next job; idempotent. `rest` is a multiple of a
 * batch's duration.
 */
export async function work(ctx: RosterWorkDeps, importId: number, signal: AbortSignal, rest = REST): Promise<void> {
  const found = await ctx.database.read(SYSTEM, (db) => importsSql.findImport(db, importId));
  if (found?.status !== 'running') return;
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const pieceAt = performance.now();
    if (!(await workOnce(ctx, importId, found.organizationId))) return;
    crashAt('roster.after_piece');
    await pause(Math.min(MAX_REST_MS, (performance.now() - pieceAt) * rest), undefined, { signal });
    if (performance.now() - startedAt > SLICE_MS)
      return ctx.database.write(SYSTEM, (tx) => ctx.jobs.enqueue(tx, importRosterJob, { importId }));
  }
}

/** All attempts failed: the remaining rows are reported as failed. */
export async function giveUp(ctx: RosterWorkDeps, importId: number): Promise<void> {
  await ctx.database.write(SYSTEM, async (tx) => {
    await importsSql.failWaiting(tx, importId, STOPPED);
    await importsSql.endImport(tx, importId, 'stopped');
  });
}

export const createRosterWork = (deps: RosterWorkDeps) => bind(deps, { work, giveUp });

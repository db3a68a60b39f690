/** The next season copies teams and athletes, in batches in the worker. Cards stay the athlete's (athletes B.7). */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import { SEASON_NOT_FOUND } from '#src/features/roster/roster.contract.ts';
import { startedAnswer, type NextSeason, type StartedAnswer } from '#src/features/roster/roster-care.contract.ts';
import { startSeasonJob } from '#src/features/roster/roster.jobs.ts';
import { addSeason } from '#src/features/roster/seasons.service.ts';
import { findOwner } from '#src/features/roster/seasons.sql.ts';
import * as nextSql from '#src/features/roster/next-season.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedOwner, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantOf, tenantScope, type Scope } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { notFound } from '#src/shared/problem.ts';

type NextSeasonDeps = Pick<Platform, 'database' | 'jobs'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  consent: Pick<ConsentService, 'changeConsents' | 'recallConsents'>;
};

const SYSTEM: Scope = { kind: 'system', why: 'the worker copies athletes of every tenant' };
const ATHLETES_AT_A_TIME = 100;

const ownerOf = (ctx: NextSeasonDeps, caller: Caller, id: number) =>
  editedOwner(ctx, caller, (db) => findOwner(db, 'seasons', id), SEASON_NOT_FOUND);

function presented(start: nextSql.Start): StartedAnswer {
  const status: StartedAnswer['status'] = start.isOver ? 'finished' : 'running';
  return present(startedAnswer, { ...start, status });
}

/**
 * Creates a season with the teams of this one; its athletes follow in the worker.
 * @throws unauthenticated; not_found for other organizations; invalid; conflict
 */
export async function start(
  ctx: NextSeasonDeps,
  caller: Caller,
  fromSeasonId: number,
  given: NextSeason,
): Promise<StartedAnswer> {
  const owner = await ownerOf(ctx, caller, fromSeasonId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const seasonId = await addSeason(tx, owner, given.season);
    const { keep_numbers: keepNumbers, new_cards: newCards, ask_consent: askConsent } = given;
    await nextSql.insertStart(tx, {
      seasonId,
      organizationId: owner.id,
      fromSeasonId,
      keepNumbers,
      newCards,
      askConsent,
    });
    await ctx.audit.record(tx, caller, {
      action: 'season.started',
      organizationId: owner.id,
      object: ['season', seasonId],
      details: { from: fromSeasonId, keep_numbers: keepNumbers, new_cards: newCards, ask_consent: askConsent },
    });
    await ctx.jobs.enqueue(tx, startSeasonJob, { seasonId });
    const begun = await nextSql.findStart(tx, seasonId);
    if (!begun) throw notFound();
    return presented(begun);
  });
}

/** The progress of a season that was started from another one. @throws unauthenticated; not_found */
export async function progress(ctx: NextSeasonDeps, caller: Caller, seasonId: number): Promise<StartedAnswer> {
  const owner = await ownerOf(ctx, caller, seasonId);
  const found = await ctx.database.read(tenantScope(owner.id), (db) => nextSql.findStart(db, seasonId));
  if (!found) throw notFound(SEASON_NOT_FOUND);
  return presented(found);
}

/** Copies one batch; true while athletes are left. */
async function workOnce(ctx: NextSeasonDeps, seasonId: number, organizationId: number): Promise<boolean> {
  return ctx.database.write(tenantOf({ organizationId }), async (tx) => {
    await nextSql.lockStart(tx, seasonId);
    const begun = await nextSql.findStart(tx, seasonId);
    if (!begun || begun.isOver) return false;
    const athleteIds = await nextSql.listNext(tx, begun, ATHLETES_AT_A_TIME);
    await nextSql.lockAthletes(tx, athleteIds);
    await nextSql.copyEntries(tx, begun, athleteIds);
    const lapsed = begun.askConsent ? await nextSql.listYes(tx, athleteIds) : [];
    if (lapsed.length > 0)
      await ctx.consent.changeConsents(tx, { organizationId, athleteIds: lapsed, consent: 'unknown', by: 'member' });
    const ended = begun.newCards ? await nextSql.endCards(tx, athleteIds) : [];
    if (ended.length > 0) await ctx.consent.recallConsents(tx, { organizationId, athleteIds: ended });
    await nextSql.advance(tx, seasonId, athleteIds.length, athleteIds.at(-1) ?? null);
    return athleteIds.length > 0;
  });
}

/** Handler of `startSeasonJob`; idempotent. */
export async function work(ctx: NextSeasonDeps, seasonId: number, signal: AbortSignal): Promise<void> {
  const found = await ctx.database.read(SYSTEM, (db) => nextSql.findStart(db, seasonId));
  if (!found) return;
  do signal.throwIfAborted();
  while (await workOnce(ctx, seasonId, found.organizationId));
}

export const createNextSeason = (deps: NextSeasonDeps) => bind(deps, { start, progress, work });
export type NextSeasonService = ReturnType<typeof createNextSeason>;

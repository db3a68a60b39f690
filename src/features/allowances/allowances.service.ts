/** Members set how many photos a team's registration includes; a family reads what is left for its child. */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/allowances/allowances.contract.ts';
import * as allowancesSql from '#src/features/allowances/allowances.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantOf } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';
import { present } from '#src/shared/field-names.ts';
import { notFound, problem, refuseFields } from '#src/shared/problem.ts';

const OWNERS = { kind: 'system', why: 'a team is looked up before its organization is known' } as const;

type AllowanceDeps = Pick<Platform, 'database' | 'clock'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};
export type AllowanceService = ReturnType<typeof createAllowances>;

/** The organization of a team that the caller may edit, and its day. @throws unauthenticated; not_found for other organizations */
async function ownerOf(
  ctx: AllowanceDeps,
  caller: Caller,
  teamId: number,
): Promise<{ organizationId: number; today: string }> {
  requireUser(caller.actor);
  const team = await ctx.database.read(OWNERS, (db) => allowancesSql.findTeam(db, teamId));
  if (!team) throw notFound(words.TEAM_NOT_FOUND);
  const { id, timeZone } = await editedBy(ctx.organizations, caller, team.organizationId, words.TEAM_NOT_FOUND);
  return { organizationId: id, today: machineDay(ctx.clock.now(), timeZone) };
}

/** What the children of a team were given. @throws unauthenticated; not_found for other organizations */
export async function ofTeam(ctx: AllowanceDeps, caller: Caller, teamId: number): Promise<words.AllowancesAnswer> {
  const owner = await ownerOf(ctx, caller, teamId);
  return ctx.database.read(tenantOf(owner), async (db) => {
    const onTeam = await allowancesSql.listOnTeam(db, teamId);
    const rows = await allowancesSql.listGiven(db, onTeam);
    const hasEnded = (endsOn: string | null) => endsOn !== null && endsOn < owner.today;
    return {
      athletes: onTeam.length,
      allowances: rows.map((row) => present(words.givenAllowance, { ...row, ended: hasEnded(row.endsOn) })),
    };
  });
}

/**
 * Gives children of a team this many photos; calling it again with another number changes it, and 0 takes them back.
 * @throws unauthenticated; not_found for other organizations; invalid for athletes and price sheets of others and for a day
 * in the past; conflict
 */
export async function giveTeam(
  ctx: AllowanceDeps,
  caller: Caller,
  teamId: number,
  body: words.AllowanceBody,
): Promise<words.AllowanceAnswer> {
  const { organizationId, today } = await ownerOf(ctx, caller, teamId);
  const { photos, sheet_id: sheetId = null, ends_on: endsOn = null, athlete_ids: ids } = body;
  return ctx.database.write(tenantOf({ organizationId }), async (tx) => {
    const onTeam = await allowancesSql.listOnTeam(tx, teamId);
    const athleteIds = ids === undefined ? onTeam : [...new Set(ids)];
    refuseFields({
      ...(athleteIds.every((id) => onTeam.includes(id)) ? {} : { athlete_ids: [words.NOT_ON_THIS_TEAM] }),
      ...(sheetId === null || (await allowancesSql.hasSheet(tx, organizationId, sheetId))
        ? {}
        : { sheet_id: [words.SHEET_NOT_FOUND] }),
      ...(endsOn === null || endsOn >= today ? {} : { ends_on: [words.ENDS_ON_PAST] }),
    });
    const allowance = { organizationId, athleteIds, photos, sheetId, endsOn };
    const mostUsed = await allowancesSql.lockUsed(tx, allowance);
    if (mostUsed > photos) throw problem('conflict', words.usedAlready(mostUsed));
    if (photos === 0) await allowancesSql.takeBack(tx, allowance);
    const given = photos === 0 ? athleteIds.length : await allowancesSql.putAllowances(tx, allowance);
    await ctx.audit.record(tx, caller, {
      action: 'allowance.given',
      organizationId,
      object: ['team', teamId],
      details: { photos, given, ...(endsOn === null ? {} : { ends_on: endsOn }) },
    });
    return { given };
  });
}

/** "5 photos are included. 2 left." for a child whose page is open; null when nothing is included. */
export async function includedFor(
  ctx: AllowanceDeps,
  { athleteId, organizationId }: { athleteId: number; organizationId: number },
): Promise<{ photos: number; left: number; text: string } | null> {
  const owner = await ctx.organizations.byId(organizationId);
  const today = machineDay(ctx.clock.now(), owner?.timeZone);
  const { photos, left } = await ctx.database.read(tenantOf({ organizationId }), (db) =>
    allowancesSql.sumOf(db, athleteId, today),
  );
  return photos === 0 ? null : { photos, left, text: words.includedText(photos, left) };
}

export const createAllowances = (deps: AllowanceDeps) => bind(deps, { ofTeam, giveTeam, includedFor });

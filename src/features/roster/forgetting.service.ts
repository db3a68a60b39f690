/**
 * Deletes names and addresses permanently: when their time has passed, and when a family or a club asks for it
 * (athletes B.7).
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { ownerOfAthlete } from '#src/features/roster/athletes.service.ts';
import * as forgettingSql from '#src/features/roster/forgetting.sql.ts';
import * as words from '#src/features/roster/roster-care.contract.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database, Scope, Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';

type ForgettingDeps = {
  database: Database;
  clock: Clock;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};

const SYSTEM: Scope = {
  kind: 'system',
  why: 'emails of the whole site are searched for what a family wants forgotten',
};
const AT_A_TIME = 500;

const forgetAll = async (tx: Writer, ids: readonly number[]) =>
  forgettingSql.forgetNames(tx, await forgettingSql.withMerged(tx, ids));

/** Removes an athlete's name now. @throws unauthenticated; not_found for other organizations */
export async function forget(ctx: ForgettingDeps, caller: Caller, athleteId: number): Promise<void> {
  const owner = await ownerOfAthlete(ctx, caller, athleteId);
  await ctx.database.write(SYSTEM, async (tx) => {
    await forgetAll(tx, [athleteId]);
    await ctx.audit.record(tx, caller, {
      action: 'athlete.forgotten',
      organizationId: owner.id,
      object: ['athlete', athleteId],
    });
  });
}

/**
 * "Forget us": deletes the addresses of a child's family now, and ends emails that were requested with its card, which
 * the caller has opened and which stays valid. `notifyMembers` is called if the organization had addresses.
 */
export async function forgetFamily(
  ctx: ForgettingDeps,
  caller: Caller,
  { organizationId, athleteId, cardId }: { organizationId: number; athleteId: number; cardId: number },
  notifyMembers: (tx: Writer) => Promise<void>,
): Promise<void> {
  await ctx.database.write(SYSTEM, async (tx) => {
    const deleted = await forgettingSql.forgetFamilies(tx, await forgettingSql.withMerged(tx, [athleteId]), cardId);
    if (deleted > 0) await notifyMembers(tx);
    await ctx.audit.record(
      tx,
      { actor: caller.actor },
      {
        action: 'athlete.family_forgotten',
        organizationId,
        object: ['athlete', athleteId],
        details: { card_id: cardId },
      },
    );
  });
}

/** Handler of `forgetNamesJob`; returns how many names were deleted. */
export async function forgetOld(ctx: ForgettingDeps): Promise<number> {
  const { UNDO_DAYS: days } = words;
  const kept = { seasons: words.SEASONS_KEPT, years: words.YEARS_KEPT, now: ctx.clock.now() };
  await ctx.database.write(SYSTEM, async (tx) => {
    await forgettingSql.forgetAddresses(tx, words.ADDRESS_DAYS);
    await forgettingSql.forgetMerges(tx, { olderThanDays: days });
    await forgettingSql.forgetRecipients(tx, words.ADDRESS_DAYS);
  });
  let gone = 0;
  for (;;) {
    const ids = await ctx.database.write(SYSTEM, async (tx) => {
      const due = [
        ...(await forgettingSql.listOutdated(tx, { ...kept, limit: AT_A_TIME })),
        ...(await forgettingSql.listMerged(tx, { days, limit: AT_A_TIME })),
      ];
      if (due.length > 0) await forgetAll(tx, due);
      return due;
    });
    gone += ids.length;
    if (ids.length === 0) return gone;
  }
}

export const createForgetting = (deps: ForgettingDeps) => bind(deps, { forget, forgetFamily, forgetOld });
export type ForgettingService = ReturnType<typeof createForgetting>;

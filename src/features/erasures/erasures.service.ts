/**
 * A platform admin erases the data of a person, an account's owner or a buyer, by email address. A dry run does the
 * same and rolls it back, so that its report is exact. Names and addresses are erased, the ledger stays.
 */
import { randomUUID } from 'node:crypto';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/erasures/erasures.contract.ts';
import { whatStays } from '#src/features/erasures/erasures.rules.ts';
import * as erasuresSql from '#src/features/erasures/erasures.sql.ts';
import type { DeletionRequests } from '#src/features/sign-in/deletion-requests.service.ts';
import { requireAdminUser, type Caller, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const EVERYWHERE = { kind: 'system', why: 'a person’s data may be with any organization' } as const;

type ErasureDeps = {
  database: Database;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
  deletionRequests: Pick<DeletionRequests, 'lockDueWithin' | 'tellDoneWithin'>;
  /** Disconnects the person's open pages of any gallery when the transaction commits. */
  closePagesOf(tx: Writer, userId: number): Promise<void>;
};
export type ErasureService = ReturnType<typeof createErasures>;

/** Rolls everything back and carries the report. */
class RolledBack extends Error {
  readonly report: words.ErasureAnswer;
  constructor(report: words.ErasureAnswer) {
    super('a dry run');
    this.report = report;
  }
}

function reasonsAgainst(actor: SignedIn, person: erasuresSql.Person, obstacles: erasuresSql.Obstacles): string[] {
  return [
    ...(person.userId === actor.userId ? [words.OWN_ACCOUNT] : []),
    ...obstacles.soleAdminOf.map(words.onlyAdministrator),
    ...obstacles.paysFor.map(words.paysForPlan),
    ...(obstacles.pendingOrders > 0 ? [words.ORDER_IN_PROGRESS] : []),
  ];
}

/** Neither address of an account is erased for the other: by now it may be someone else's. The admin asks the person. */
async function notesOn(tx: Writer, person: erasuresSql.Person): Promise<string[]> {
  const earlier = await erasuresSql.formerAddresses(tx, person);
  const later = await erasuresSql.accountsBefore(tx, person);
  return [...later.map(words.changedTo), ...earlier.map(words.changedFrom)];
}

/**
 * Erases, or only reports what would be erased.
 * @throws unauthenticated, also "Please confirm your password."; forbidden; not_found if nothing is stored; conflict
 * with all reasons against it, or if it is only wanted when `requested`, and is not
 */
export async function erase(
  ctx: ErasureDeps,
  caller: Caller,
  { email, dry_run: isDry = false, requested = false }: words.ErasureBody,
): Promise<words.ErasureAnswer> {
  const actor = requireAdminUser(caller.actor);
  if (!isDry) ctx.accounts.requireRecentPassword(actor);
  const work = ctx.database.write(EVERYWHERE, async (tx) => {
    const person = await erasuresSql.findPerson(tx, email);
    if (requested && !(await ctx.deletionRequests.lockDueWithin(tx, person.userId ?? 0)))
      throw problem('conflict', words.NOT_REQUESTED);
    const blocked = reasonsAgainst(actor, person, await erasuresSql.findObstacles(tx, person));
    if (blocked.length > 0 && !isDry) throw problem('conflict', blocked.join(' '));
    const notes = isDry ? await notesOn(tx, person) : [];
    const stays = whatStays(await erasuresSql.countKept(tx, person));
    const goes = (await erasuresSql.erase(tx, person)).filter(({ rows }) => rows > 0);
    if (goes.length === 0) throw notFound(words.NOTHING_KEPT);
    const report = { dry_run: isDry, goes, stays, notes, blocked };
    if (isDry) throw new RolledBack(report);
    if (person.userId !== null) await ctx.closePagesOf(tx, person.userId);
    if (goes.some(({ what }) => what === erasuresSql.DELETION_REQUEST))
      await ctx.deletionRequests.tellDoneWithin(tx, email);
    await ctx.audit.record(tx, caller, {
      action: 'person.erased',
      organizationId: null,
      object: person.userId === null ? ['buyer', randomUUID()] : ['user', person.userId],
      details: { rows: goes.reduce((sum, { rows }) => sum + rows, 0), places: goes.map(({ what }) => what) },
    });
    return report;
  });
  return work.catch((error: unknown) => {
    if (error instanceof RolledBack) return error.report;
    throw error;
  });
}

export const createErasures = (deps: ErasureDeps) => bind(deps, { erase });

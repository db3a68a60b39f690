/**
 * Merges two athletes who are one person: photos, teams, cards, addresses and passes move in one transaction, and the
 * stricter consent applies. A merge can be undone for 30 days. Nothing is merged automatically (athletes B.7).
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { stricterOf } from '#src/features/consent/consent.rules.ts';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import * as words from '#src/features/roster/roster-care.contract.ts';
import { ATHLETE_NOT_FOUND } from '#src/features/roster/roster.contract.ts';
import { readWhole } from '#src/features/roster/athletes.service.ts';
import * as mergingSql from '#src/features/roster/merging.sql.ts';
import { findOwner } from '#src/features/roster/seasons.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedOwner, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Database, type Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { fieldProblem, notFound, problem } from '#src/shared/problem.ts';

type MergingDeps = {
  database: Database;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  consent: Pick<ConsentService, 'whileHiding'>;
};

/** The organization of an athlete, also of a merged one. @throws unauthenticated; not_found */
const ownerOf = (ctx: MergingDeps, caller: Caller, id: number) =>
  editedOwner(ctx, caller, (db) => findOwner(db, 'athletes', id), ATHLETE_NOT_FOUND);

/** The stricter of two consents, with who said it; at a tie the first. */
function stricter(
  one: mergingSql.StoredConsent,
  other: mergingSql.StoredConsent,
  meant: Consent,
): mergingSql.StoredConsent {
  const consent = stricterOf(one.consent, other.consent, meant);
  const both = [one, other];
  const source = both.find((each) => each.consent === consent) ?? both.find((each) => each.consent !== 'unknown');
  return { ...(source ?? one), consent };
}

async function move(ctx: MergingDeps, tx: Writer, from: number, into: number) {
  const left = await mergingSql.readConsent(tx, from);
  const stays = await mergingSql.readConsent(tx, into);
  const photoIds = await mergingSql.listPhotosOf(tx, [from, into]);
  return ctx.consent.whileHiding(tx, photoIds, async () => {
    // Writes the consent first, so that no photo is shown in between.
    await mergingSql.writeConsent(tx, into, stricter(stays.kept, left.kept, stays.meant));
    const moved = await mergingSql.moveAll(tx, from, into);
    await mergingSql.setMergedInto(tx, from, into);
    return { ...moved, consent: stays.kept };
  });
}

/** @throws unauthenticated; not_found for other organizations; invalid when both are the same athlete */
export async function merge(
  ctx: MergingDeps,
  caller: Caller,
  fromId: number,
  into: number,
): Promise<words.MergedAnswer> {
  const { userId } = requireUser(caller.actor);
  const owner = await ownerOf(ctx, caller, fromId);
  if (into === fromId) throw fieldProblem({ into: [words.SAME_ATHLETE] });
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const both = await mergingSql.lockBoth(tx, owner.id, [fromId, into]);
    if (both.length < 2 || both.some(({ mergedInto, isNameless }) => mergedInto !== null || isNameless))
      throw notFound(ATHLETE_NOT_FOUND);
    const { result: moved, hidden, shown } = await move(ctx, tx, fromId, into);
    const row = { organizationId: owner.id, fromId, intoId: into, moved: moved as mergingSql.Moved, userId };
    const mergeId = await mergingSql.insertMerge(tx, row);
    await record(ctx, tx, caller, { owner, fromId, into, done: 'merged' });
    return { athlete: await readWhole(tx, into), merge_id: mergeId, hidden: hidden.length, shown: shown.length };
  });
}

async function separate(tx: Writer, merged: mergingSql.MergeRow): Promise<void> {
  const { id, fromId, intoId, moved } = merged;
  const own = await mergingSql.readConsent(tx, fromId);
  const now = await mergingSql.readConsent(tx, intoId);
  const hasConsentChanged = await mergingSql.hasConsentChanged(tx, id);
  const since = (before: mergingSql.StoredConsent) =>
    hasConsentChanged ? stricter(now.kept, before, now.meant) : before;
  await mergingSql.setMergedInto(tx, fromId, null);
  // Writes the consent of the one before its photos return, and of the other after they are gone, so that no photo is
  // shown in between.
  await mergingSql.writeConsent(tx, fromId, since(own.kept));
  await mergingSql.moveBack(tx, merged);
  await mergingSql.writeConsent(tx, intoId, since(moved.consent));
  await mergingSql.endMerge(tx, id);
}

/**
 * Separates them again. A consent given in the meantime stays for both: the stricter applies.
 * @throws unauthenticated; not_found for other organizations; conflict after 30 days and after another merge
 */
export async function undo(ctx: MergingDeps, caller: Caller, fromId: number): Promise<words.MergedAnswer> {
  const owner = await ownerOf(ctx, caller, fromId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const found = await mergingSql.findMerge(tx, fromId, words.UNDO_DAYS);
    if (!found) throw problem('conflict', words.NOTHING_TO_UNDO);
    const both = await mergingSql.lockBoth(tx, owner.id, [fromId, found.intoId]);
    const [from, into] = [both.find(({ id }) => id === fromId), both.find(({ id }) => id === found.intoId)];
    if (from?.mergedInto !== found.intoId || from.isNameless) throw problem('conflict', words.NOTHING_TO_UNDO);
    if (into?.mergedInto !== null) throw problem('conflict', words.UNDO_NEWER_FIRST);
    const photoIds = await mergingSql.listPhotosOf(tx, [fromId, found.intoId]);
    const { hidden, shown } = await ctx.consent.whileHiding(tx, photoIds, () => separate(tx, found));
    await record(ctx, tx, caller, { owner, fromId, into: found.intoId, done: 'merge_undone' });
    return { athlete: await readWhole(tx, fromId), merge_id: found.id, hidden: hidden.length, shown: shown.length };
  });
}

type AuditedMerge = { owner: Organization; fromId: number; into: number; done: string };

function record(ctx: MergingDeps, tx: Writer, caller: Caller, { owner, fromId, into, done }: AuditedMerge) {
  return ctx.audit.record(tx, caller, {
    action: `athlete.${done}`,
    organizationId: owner.id,
    object: ['athlete', fromId],
    details: { into },
  });
}

export const createMerging = (deps: MergingDeps) => bind(deps, { merge, undo });
export type MergingService = ReturnType<typeof createMerging>;

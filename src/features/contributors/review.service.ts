/**
 * The owner's review of what contributors sent: owners are notified, see what waits, and approve, reject or restore it.
 */
import { requireEditor, requireUser, type Caller, type Owned } from '#src/features/tenancy/actor.rules.ts';
import {
  MAX_NUMBERS_AT_ONCE,
  NUMBERS_AT_ONCE_EXCEEDED,
  REST_WAITS,
  WAITING_PER_PAGE,
  waitingContributor,
  type DecidedAnswer,
  type DecisionBody,
  type WaitingPage,
} from '#src/features/contributors/contributors.contract.ts';
import {
  presentWaiting,
  readContributionPlace,
  type ContributionPlace,
  writeContributionPlace,
} from '#src/features/contributors/contribution-answers.rules.ts';
import { contributionsArrivedEmail } from '#src/features/contributors/contributions.mail.tsx';
import { reviewPath } from '#src/features/contributors/contributor-paths.rules.ts';
import * as contributorsSql from '#src/features/contributors/contributors.sql.ts';
import { similarOf, isSoft } from '#src/features/contributors/similar-photos.rules.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { brandOf } from '#src/features/tenancy/organizations.rules.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantOf, type Reader, type Scope, type Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';
import { present } from '#src/shared/field-names.ts';
import { pageBy, placeAfter } from '#src/shared/paging.ts';
import { problem } from '#src/shared/problem.ts';

export type ReviewDeps = Pick<Platform, 'database' | 'limits' | 'outbox' | 'cdn'> & {
  origin: SiteOrigin;
  galleries: Pick<GalleryService, 'editable'>;
  organizations: Pick<OrganizationService, 'byId'>;
  /** Turns numbers that can mean only one player into tags (decision record 0116). */
  tagging: {
    tagNumbers: (
      tx: Writer,
      gallery: Pick<Gallery, 'id' | 'organizationId'>,
      by: { userId: number; numbers: readonly { photoId: number; number: string }[] },
    ) => Promise<void>;
  };
};

/** In a larger gallery only the first ones found are compared. */
const COMPARED = 20_000;
const EMAIL_EVERY_SECONDS = 3_600;
const GALLERIES_A_RUN = 200;
/** A contact address can be anyone's, and many accounts can use the same one. */
const EMAILS_A_DAY = 24;
const ARRIVALS: Scope = { kind: 'system', why: 'the owners of all galleries are notified of new contributions' };

/** A page of waiting photos, with hints: blurry, or almost the same as another photo of the gallery. */
async function listWithHints(db: Reader, galleryId: number, page: { after: ContributionPlace | null; limit: number }) {
  const rows = await contributorsSql.listWaiting(db, galleryId, page);
  const hashed = rows.flatMap(({ id, dhash }) => (dhash === null ? [] : [{ id, dhash }]));
  const all = hashed.length === 0 ? [] : await contributorsSql.listHashes(db, galleryId, COMPARED);
  const similar = similarOf(hashed, all);
  return rows.map((row) => ({ ...row, isSoft: isSoft(row.sharpness), similar: similar.get(row.id) ?? null }));
}

/** Waiting photos of a gallery, the oldest contribution first. @throws unauthenticated; not_found; forbidden; invalid */
export async function waiting(
  ctx: ReviewDeps,
  caller: Caller,
  galleryId: number,
  after?: string,
): Promise<WaitingPage> {
  const place = placeAfter(after, readContributionPlace);
  const gallery = await ctx.galleries.editable(caller, galleryId);
  return ctx.database.read(tenantOf(gallery), async (db) => {
    const found = await listWithHints(db, galleryId, { after: place, limit: WAITING_PER_PAGE + 1 });
    const { shown, next } = pageBy(found, WAITING_PER_PAGE, writeContributionPlace);
    const contributorIds = [...new Set(found.map(({ contributorId }) => contributorId))];
    const people = await contributorsSql.listWaitingContributors(db, contributorIds);
    return {
      photos: shown.map((row) => presentWaiting(gallery, row)),
      contributors: people.map((person) => present(waitingContributor, person)),
      next,
      total: (await contributorsSql.countWaiting(db, [galleryId])).get(galleryId) ?? 0,
    };
  });
}

/** How many contributions wait in each of an organization's galleries. @throws unauthenticated; not_found */
export async function waitingIn(ctx: ReviewDeps, caller: Caller, owner: Owned, galleryIds: readonly number[]) {
  requireEditor(caller.actor, owner);
  if (galleryIds.length === 0) return new Map();
  return ctx.database.read(tenantOf(owner), (db) => contributorsSql.countWaiting(db, galleryIds));
}

/**
 * Approves, rejects (removes) or restores contributions: the given ones, or all waiting ones of the person behind one, up to
 * the newest contribution that the caller has seen: anyone may type someone's address, and unseen photos are not approved.
 * Returns the ids of those that exist, and of approved ones that stay hidden.
 * @throws unauthenticated; not_found; forbidden; conflict if chosen photos have too many numbers
 */
export async function decide(
  ctx: ReviewDeps,
  caller: Caller,
  galleryId: number,
  body: DecisionBody,
): Promise<DecidedAnswer> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const { ids, contributor_id: contributorId, up_to: upTo, decision } = body;
  const which =
    ids === undefined
      ? { galleryId, photoIds: null, contributorId: contributorId ?? 0, upTo: upTo ?? null }
      : { galleryId, photoIds: ids, contributorId: null };
  const { userId } = requireUser(caller.actor);
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    // Tags are written before the photo is shown, so that a consent hides it in time.
    const { numbers, fitting } = decision === 'approve' ? await numbersOf(tx, which) : { numbers: [], fitting: which };
    if (numbers.length > 0) await ctx.tagging.tagNumbers(tx, gallery, { userId, numbers });
    const { ids: decided, withheld } = await contributorsSql.decide(tx, fitting, decision);
    if (decision !== 'wait') await contributorsSql.forgetNumbers(tx, decided);
    if (decision !== 'approve') await ctx.cdn.requestPurgeOf(tx, galleryId, decided);
    return {
      ids: decided,
      ...(fitting === which ? {} : { note: REST_WAITS }),
      ...(decision === 'approve' && withheld.length > 0 ? { hidden: withheld } : {}),
    };
  });
}

/**
 * The numbers that an approval turns into tags, and the photos it approves: if a person sent too many numbers for one
 * call, only the photos whose numbers fit.
 */
async function numbersOf(tx: Writer, which: contributorsSql.Decided) {
  const found = await contributorsSql.listNumbers(tx, which, MAX_NUMBERS_AT_ONCE + 1);
  const before = found[MAX_NUMBERS_AT_ONCE]?.photoId;
  if (before === undefined) return { numbers: found, fitting: which };
  if (which.photoIds !== null) throw problem('conflict', NUMBERS_AT_ONCE_EXCEEDED);
  return { numbers: found.filter(({ photoId }) => photoId < before), fitting: { ...which, before } };
}

/**
 * A job: notifies owners of new contributions, at most once an hour for each gallery and 24 times a day at each address.
 * Returns how many emails.
 */
export async function notifyOwners(ctx: ReviewDeps): Promise<number> {
  return ctx.database.write(ARRIVALS, async (tx) => {
    const due = await contributorsSql.claimUnnotified(tx, {
      everySeconds: EMAIL_EVERY_SECONDS,
      limit: GALLERIES_A_RUN,
    });
    const galleryIds = due.map(({ galleryId }) => galleryId);
    const waiting = await contributorsSql.countWaiting(tx, galleryIds);
    let emails = 0;
    for (const { galleryId, organizationId, name, notifiedAt } of due) {
      const count = waiting.get(galleryId) ?? 0;
      const owner = await ctx.organizations.byId(organizationId);
      if (count === 0 || !owner || owner.contactEmail === null) continue;
      const bucket = `arrivals:to:${owner.contactEmail.toLowerCase()}`;
      if (!(await mayTake(ctx.limits, { bucket, limit: EMAILS_A_DAY, windowSeconds: DAY_SECONDS }))) continue;
      const path = reviewPath({ affiliate: owner.domainName, id: galleryId });
      const message = contributionsArrivedEmail({
        to: owner.contactEmail,
        gallery: name,
        waiting: count,
        brand: brandOf(owner),
        link: siteUrl(ctx.origin, await hostLabelOf(ctx.organizations, owner), path),
        dedupeKey: `contributions:${galleryId}:${notifiedAt.getTime()}`,
      });
      await ctx.outbox.queueEmail(tx, message);
      emails += 1;
    }
    return emails;
  });
}

export const createReview = (deps: ReviewDeps) => bind(deps, { waiting, waitingIn, decide, notifyOwners });

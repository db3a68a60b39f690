/**
 * Members tag the photos of a gallery, up to five hundred in one call. A number becomes the athlete who wore it on the
 * photo's day. A photo of a child who must not be published is hidden by the database in the same transaction
 * (consent), and the answer names it. A call that is repeated because its answer was lost gets the same answer.
 */
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import { readPhotoPlace, writePhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import * as words from '#src/features/tagging/tagging.contract.ts';
import type { TaggingPage, TaggingQuery, TagsAnswer, TagsBody } from '#src/features/tagging/tagging.contract.ts';
import { presentTaggingPhoto } from '#src/features/tagging/tagging.rules.ts';
import * as taggingSql from '#src/features/tagging/tagging.sql.ts';
import { countKeywordNumbers } from '#src/features/tagging/tagging-work.sql.ts';
import { createTaggingWork, type TaggingWorkDeps } from '#src/features/tagging/tagging-work.service.ts';
import { lookupsOf, planTags, undoOf, type TagFacts } from '#src/features/tagging/tags.rules.ts';
import * as tagsSql from '#src/features/tagging/tags.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { placeAfter, pageBy } from '#src/shared/paging.ts';

/** Of one person in ten minutes: two a second. */
const CALLS = { limit: 1_200, windowSeconds: 600 };

export type TaggingService = ReturnType<typeof createTagging>;
type TaggingDeps = Pick<Platform, 'database' | 'limits'> & {
  galleries: Pick<GalleryService, 'editable' | 'ownGallery'>;
  consent: Pick<ConsentService, 'whileHiding'>;
};

/** The photos and roster entries that the changes need. */
async function factsOf(tx: Writer, gallery: Gallery, { changes }: TagsBody): Promise<TagFacts> {
  const { id: galleryId, organizationId } = gallery;
  const lookups = lookupsOf(changes);
  const photos = await tagsSql.listPhotoDays(tx, galleryId, [...new Set(changes.flatMap((one) => one.photo_ids))]);
  const teamIds = lookups.worn.map(({ teamId }) => teamId);
  const [athletes, teams, entries] = await Promise.all([
    tagsSql.findAthletes(tx, organizationId, lookups.athleteIds),
    tagsSql.findTeams(tx, { galleryId, organizationId, teamIds }),
    tagsSql.listEntries(tx, organizationId, lookups),
  ]);
  return {
    days: new Map(photos.map(({ id, day }) => [id, day])),
    athletes: new Map(athletes.map((one) => [one.asked, one.id])),
    teams: new Set(teams.map(({ id }) => id)),
    playing: new Set(teams.flatMap(({ id, plays }) => (plays ? [id] : []))),
    entries,
  };
}

async function changeWithin(
  { consent }: Pick<TaggingDeps, 'consent'>,
  tx: Writer,
  gallery: Gallery,
  { userId, body }: { userId: number; body: TagsBody },
): Promise<TagsAnswer> {
  const { id: galleryId, organizationId } = gallery;
  await tagsSql.lockTagging(tx, galleryId);
  const known = await tagsSql.findBatch(tx, galleryId, body.client_key);
  if (known) return known;
  const facts = await factsOf(tx, gallery, body);
  const plan = planTags(body.changes, facts);
  const worn = facts.entries.map(({ athleteId }) => athleteId);
  await tagsSql.lockAthletes(tx, [...new Set(worn)], plan.photoIds);
  const by = { galleryId, organizationId, userId };
  let undo: TagsAnswer['undo'] = [];
  const { shown } = await consent.whileHiding(tx, plan.photoIds, async () => {
    const removed = await tagsSql.deleteTags(tx, galleryId, plan.remove);
    const added = await tagsSql.insertTags(tx, by, plan.add);
    await tagsSql.setChecks(tx, by, plan.checks);
    const undone = [...plan.remove, ...plan.checks.filter(({ checked }) => !checked)];
    await tagsSql.holdUnseen(tx, galleryId, [...new Set(undone.map(({ photoId }) => photoId))]);
    undo = undoOf(added, removed);
  });
  const answer = {
    tagged: plan.photoIds.length,
    hidden: await tagsSql.listHiddenNow(tx, plan.photoIds, 'consent'),
    held: await tagsSql.listHiddenNow(tx, plan.photoIds, 'hold'),
    refused: plan.refused.map(({ photoId, error }) => ({ photo_id: photoId, error })),
    shown,
    undo,
  };
  await tagsSql.insertBatch(tx, { galleryId, organizationId, clientKey: body.client_key, answer });
  return answer;
}

/**
 * Applies changes of tags in order. Impossible ones are listed in `refused`, the others are applied.
 * @throws unauthenticated; not_found for galleries of others; forbidden for an inactive one; too_many
 */
export async function change(ctx: TaggingDeps, caller: Caller, galleryId: number, body: TagsBody): Promise<TagsAnswer> {
  const { userId } = requireUser(caller.actor);
  const gallery = await ctx.galleries.editable(caller, galleryId);
  await ctx.limits.take({ bucket: `tags:${userId}`, ...CALLS });
  return ctx.database.write(tenantOf(gallery), (tx) => changeWithin(ctx, tx, gallery, { userId, body }));
}

/**
 * Photos of a gallery with their tags and suggestions from their keywords, in the gallery's order.
 * @throws unauthenticated; not_found for galleries of others; invalid for an `after` that we did not write
 */
export async function page(
  ctx: TaggingDeps,
  caller: Caller,
  galleryId: number,
  query: TaggingQuery = {},
): Promise<TaggingPage> {
  const { userId } = requireUser(caller.actor);
  const gallery = await ctx.galleries.ownGallery(caller, galleryId);
  const after = placeAfter(query.after, readPhotoPlace);
  const { limit = words.TAGGING_PER_PAGE } = query;
  return ctx.database.read(tenantOf(gallery), async (db) => {
    const [rows, worn, { done, total }, keywordNumbers] = await Promise.all([
      taggingSql.listTagging(db, { galleryId, userId, after, limit: limit + 1 }),
      taggingSql.listWorn(db, galleryId),
      taggingSql.countTagging(db, galleryId),
      after ? null : countKeywordNumbers(db, galleryId),
    ]);
    const index = (after ? after.index : -1) + limit;
    const { shown, next } = pageBy(rows, limit, (last) => writePhotoPlace({ ...last, index, total }));
    return {
      photos: shown.map((row) => presentTaggingPhoto(gallery, row, worn)),
      next,
      done,
      total,
      keyword_numbers: keywordNumbers,
    };
  });
}

/** In a transaction that moves photos of the gallery, before it locks them: their tags and consents stay until it ends. */
export async function lockTagsOf(
  tx: Writer,
  { galleryId, organizationId }: { galleryId: number; organizationId: number },
  photoIds: readonly number[],
): Promise<void> {
  await tagsSql.lockTagging(tx, galleryId);
  await tagsSql.lockAthletes(tx, [], photoIds);
  await tagsSql.lockUnknownConsent(tx, organizationId);
}

export const createTagging = (deps: TaggingDeps & TaggingWorkDeps) => ({
  lockTagsOf,
  copyTags: tagsSql.copyTags,
  ...bind(deps, { change, page }),
  ...createTaggingWork(deps),
});

/**
 * Several people share the work of one gallery: each takes the next photos for twenty minutes. Numbers that were typed
 * as keywords become tags if they can mean only one player; the others stay keywords.
 */
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import * as words from '#src/features/tagging/tagging.contract.ts';
import type { KeywordsAnswer, TakeAnswer } from '#src/features/tagging/tagging.contract.ts';
import * as workSql from '#src/features/tagging/tagging-work.sql.ts';
import { keywordTag, type NewTag } from '#src/features/tagging/tags.rules.ts';
import * as tagsSql from '#src/features/tagging/tags.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

export type TaggingWorkDeps = Pick<Platform, 'database' | 'limits'> & {
  galleries: Pick<GalleryService, 'editable'>;
  photos: Pick<PhotoService, 'dropKeywords'>;
  consent: Pick<ConsentService, 'whileHiding'>;
};

type OfGallery = Pick<Gallery, 'id' | 'organizationId'>;

/** Of one person. */
const RUNS_AN_HOUR = 120;
const KEYWORDS_AN_HOUR = 120;
const SWEEPING = { kind: 'system', why: 'keys of batches are of no use after a week' } as const;

/**
 * Assigns the next photos to one person and releases that person's earlier ones.
 * @throws unauthenticated; not_found; forbidden; too_many
 */
export async function take(
  ctx: TaggingWorkDeps,
  caller: Caller,
  galleryId: number,
  count: number,
): Promise<TakeAnswer> {
  const { userId } = requireUser(caller.actor);
  const gallery = await ctx.galleries.editable(caller, galleryId);
  await ctx.limits.take({ bucket: `tagging-runs:${userId}`, limit: RUNS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    await tagsSql.lockTagging(tx, galleryId);
    await workSql.endRuns(tx, galleryId, userId);
    const photos = await workSql.listNext(tx, galleryId, count);
    const [first, last] = [photos[0], photos.at(-1)];
    if (!first || !last) return { photo_ids: [], until: null };
    const until = await workSql.insertRun(tx, {
      galleryId,
      organizationId: gallery.organizationId,
      userId,
      firstKey: first.orderKey,
      lastKey: last.orderKey,
      minutes: words.RUN_MINUTES,
    });
    return { photo_ids: photos.map(({ id }) => id), until: until.toISOString() };
  });
}

type GivenNumber = { photoId: number; number: string; day: string };

/** The player that each number means on the day of its photo; null when that is not one player. */
async function meantBy(tx: Writer, organizationId: number, playing: readonly number[], given: readonly GivenNumber[]) {
  const numbers = [...new Set(given.map(({ number }) => number))];
  const worn = playing.flatMap((teamId) => numbers.map((number) => ({ teamId, number })));
  const entries = await tagsSql.listEntries(tx, organizationId, { athleteIds: [], worn });
  return given.map((one) => {
    const tag = keywordTag(entries, playing, one);
    return tag && { photoId: one.photoId, ...tag, how: 'keyword' as const };
  });
}

async function playingIn(tx: Writer, { id, organizationId }: OfGallery): Promise<number[]> {
  const teams = await tagsSql.findTeams(tx, { galleryId: id, organizationId, teamIds: [] });
  return teams.map((team) => team.id);
}

async function store(
  ctx: Pick<TaggingWorkDeps, 'consent'>,
  tx: Writer,
  { id: galleryId, organizationId, userId }: OfGallery & { userId: number },
  tags: readonly NewTag[],
): Promise<void> {
  const athletes = tags.flatMap(({ athleteId }) => (athleteId === null ? [] : [athleteId]));
  const photoIds = [...new Set(tags.map(({ photoId }) => photoId))];
  await tagsSql.lockAthletes(tx, [...new Set(athletes)], photoIds);
  await ctx.consent.whileHiding(tx, photoIds, () =>
    tagsSql.insertTags(tx, { galleryId, organizationId, userId }, tags),
  );
}

async function turnWithin(ctx: TaggingWorkDeps, tx: Writer, gallery: Gallery, userId: number): Promise<KeywordsAnswer> {
  const { id: galleryId, organizationId } = gallery;
  await tagsSql.lockTagging(tx, galleryId);
  const playing = await playingIn(tx, gallery);
  if (playing.length === 0) throw problem('conflict', words.NO_TEAMS_IN_PLAY);
  const limit = words.MAX_KEYWORDS_TURNED;
  const turned: { id: number; tag: NewTag }[] = [];
  let left = 0;
  let more = false;
  // Numbers that stay keywords would come first in every batch, so the search continues after them.
  for (let after = 0; turned.length < limit;) {
    const keywords = await workSql.listKeywordNumbers(tx, { galleryId, after, limit });
    const tags = await meantBy(tx, organizationId, playing, keywords);
    turned.push(...keywords.flatMap(({ id }, at) => (tags[at] ? [{ id, tag: tags[at] }] : [])));
    left += tags.filter((tag) => tag === null).length;
    more = keywords.length === limit;
    after = keywords.at(-1)?.id ?? 0;
    if (!more) break;
  }
  await store(
    ctx,
    tx,
    { id: galleryId, organizationId, userId },
    turned.map(({ tag }) => tag),
  );
  await ctx.photos.dropKeywords(
    tx,
    galleryId,
    turned.map(({ id }) => id),
  );
  return { tagged: turned.length, left, more };
}

/** Tags numbers that contributors gave for photos of one gallery, in the caller's transaction, before it locks the photos. */
export async function tagNumbers(
  ctx: Pick<TaggingWorkDeps, 'consent'>,
  tx: Writer,
  gallery: OfGallery,
  { userId, numbers }: { userId: number; numbers: readonly Omit<GivenNumber, 'day'>[] },
): Promise<void> {
  await tagsSql.lockTagging(tx, gallery.id);
  const playing = await playingIn(tx, gallery);
  const photos = await tagsSql.listPhotoDays(tx, gallery.id, [...new Set(numbers.map(({ photoId }) => photoId))]);
  const days = new Map(photos.map(({ id, day }) => [id, day]));
  const dated = numbers.flatMap((one) => {
    const day = days.get(one.photoId);
    return day === undefined ? [] : [{ ...one, day }];
  });
  const tags = await meantBy(tx, gallery.organizationId, playing, dated);
  await store(
    ctx,
    tx,
    { ...gallery, userId },
    tags.filter((tag) => tag !== null),
  );
}

/**
 * Turns keywords that are numbers into tags, some thousands in a call, and deletes the keywords.
 * @throws unauthenticated; not_found; forbidden; conflict until the teams in play are chosen; too_many
 */
export async function turnKeywords(ctx: TaggingWorkDeps, caller: Caller, galleryId: number): Promise<KeywordsAnswer> {
  const { userId } = requireUser(caller.actor);
  const gallery = await ctx.galleries.editable(caller, galleryId);
  await ctx.limits.take({ bucket: `tagging-keywords:${userId}`, limit: KEYWORDS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  return ctx.database.write(tenantOf(gallery), (tx) => turnWithin(ctx, tx, gallery, userId));
}

/** Runs nightly. Returns how many rows were deleted. */
export async function sweep(ctx: TaggingWorkDeps): Promise<number> {
  return ctx.database.write(SWEEPING, workSql.forgetBatches);
}

export const createTaggingWork = (deps: TaggingWorkDeps) => bind(deps, { take, turnKeywords, tagNumbers, sweep });

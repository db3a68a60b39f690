/**
 * Anyone who may see a photo may like it, and vote for it if the gallery accepts votes: once per visitor and photo (rule 29).
 * Visitors are identified by a signed cookie, and new ones are limited per address, so that counts mean something.
 */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { VOTING_IS_CLOSED, type LikesAnswer, type VotesAnswer } from '#src/features/photos/photos.contract.ts';
import * as likesAndVotesSql from '#src/features/photos/likes-and-votes.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { tenantScope, type Database } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

type ReactionDeps = { database: Database; limits: Limits; galleries: GalleryService };

/** Likes and votes of one address a minute; a school's visitors share one. */
const REACTIONS_A_MINUTE = 300;
/** New visitors of one address who start with a reaction, an hour. */
const NEW_VISITORS_AN_HOUR = 200;
/** Writes no tenant's data: likes and votes belong to visitors. */
const NO_TENANT = tenantScope();

/** The visitor who reacts; `isNew` when the cookie is created by this call. */
export type Visitor = { id: string; isNew: boolean };

async function set(
  ctx: ReactionDeps,
  caller: Caller,
  photo: { galleryId: number; photoId: number },
  reaction: likesAndVotesSql.Reaction,
  given: { visitor: Visitor; on: boolean },
) {
  const view = await ctx.galleries.view(caller, photo.galleryId);
  if (view.locked) throw notFound();
  if (reaction === 'vote' && !view.gallery.allowVoting) throw problem('forbidden', VOTING_IS_CLOSED);
  await ctx.limits.take({ bucket: `reactions:${caller.ip}`, limit: REACTIONS_A_MINUTE, windowSeconds: 60 });
  if (given.visitor.isNew)
    await ctx.limits.take({
      bucket: `visitors:${caller.ip}`,
      limit: NEW_VISITORS_AN_HOUR,
      windowSeconds: HOUR_SECONDS,
    });
  const scope = ctx.galleries.scopeOf(view);
  return ctx.database.write(scope.kind === 'public' ? NO_TENANT : scope, async (tx) => {
    if (!(await likesAndVotesSql.readCounts(tx, photo))) throw notFound();
    if (given.on) await likesAndVotesSql.insertReaction(tx, reaction, photo.photoId, given.visitor.id);
    else await likesAndVotesSql.deleteReaction(tx, reaction, photo.photoId, given.visitor.id);
    return (await likesAndVotesSql.readCounts(tx, photo)) ?? { likes: 0, votes: 0 };
  });
}

/** Adds or removes a like; idempotent. @throws not_found for photos that the caller may not see; too_many */
export async function setLike(
  ctx: ReactionDeps,
  caller: Caller,
  photo: { galleryId: number; photoId: number },
  visitor: Visitor,
  on: boolean,
): Promise<LikesAnswer> {
  const { likes } = await set(ctx, caller, photo, 'like', { visitor, on });
  return { likes, liked: on };
}

/** Adds or removes a vote; idempotent. @throws forbidden if voting is not open; otherwise as `setLike` */
export async function setVote(
  ctx: ReactionDeps,
  caller: Caller,
  photo: { galleryId: number; photoId: number },
  visitor: Visitor,
  on: boolean,
): Promise<VotesAnswer> {
  const { votes } = await set(ctx, caller, photo, 'vote', { visitor, on });
  return { votes, voted: on };
}

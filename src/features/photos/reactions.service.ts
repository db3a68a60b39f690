/**
 * Anyone who may see a photo may like it, and vote for it where the gallery takes votes: once per visitor and photo (rule 29).
 * Visitors are known by a signed cookie, and new ones are rationed per address so that counts mean something.
 */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { VOTING_IS_CLOSED, type LikesAnswer, type VotesAnswer } from '#src/features/photos/photos.contract.ts';
import * as reactionsSql from '#src/features/photos/reactions.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Database, Scope } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { notFound, problem } from '#src/shared/problem.ts';

type ReactionDeps = { database: Database; limits: Limits; galleries: GalleryService };

/** Likes and votes of one address a minute; a school's visitors share one. */
const REACTIONS_A_MINUTE = 300;
/** Visitors of one address that begin with a like, an hour. */
const NEW_VISITORS_AN_HOUR = 200;
/** Writes nothing of a tenant: the tables of likes and votes are the visitors'. */
const NO_TENANT: Scope = { kind: 'tenants', organizationIds: [] };

/** The visitor whose reaction it is; `isNew` when the cookie is being made with this very call. */
export type Visitor = { id: string; isNew: boolean };

async function set(
  ctx: ReactionDeps,
  caller: Caller,
  photo: { galleryId: number; photoId: number },
  reaction: reactionsSql.Reaction,
  given: { visitor: Visitor; on: boolean },
) {
  const view = await ctx.galleries.view(caller, photo.galleryId);
  if (view.locked) throw notFound();
  if (reaction === 'vote' && !view.gallery.allowVoting) throw problem('forbidden', VOTING_IS_CLOSED);
  await ctx.limits.take({ bucket: `reactions:${caller.ip}`, limit: REACTIONS_A_MINUTE, windowSeconds: 60 });
  if (given.visitor.isNew)
    await ctx.limits.take({ bucket: `visitors:${caller.ip}`, limit: NEW_VISITORS_AN_HOUR, windowSeconds: 3_600 });
  const scope = ctx.galleries.scopeOf(view);
  return ctx.database.write(scope.kind === 'public' ? NO_TENANT : scope, async (tx) => {
    if (!(await reactionsSql.readCounts(tx, photo))) throw notFound();
    if (given.on) await reactionsSql.insertReaction(tx, reaction, photo.photoId, given.visitor.id);
    else await reactionsSql.deleteReaction(tx, reaction, photo.photoId, given.visitor.id);
    return (await reactionsSql.readCounts(tx, photo)) ?? { likes: 0, votes: 0 };
  });
}

/** Likes, or takes the like back; idempotent. @throws not_found for photos that the caller may not see; too_many */
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

/** Votes, or takes the vote back; idempotent. @throws forbidden where voting is not open; otherwise as `setLike` */
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

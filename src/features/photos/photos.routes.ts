import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import * as contract from '#src/features/photos/photos.contract.ts';
import type { LikesAnswer, VotesAnswer } from '#src/features/photos/photos.contract.ts';
import { shownPhotosQuery } from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import type { Visitor } from '#src/features/photos/likes-and-votes.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';
import { answerSameForAll, type SendCached } from '#src/http/response-cache.ts';
import { idParams, photoParams } from '#src/shared/validators.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setVisitorCookie } from '#src/http/cookies.ts';

const VISIBLE = {
  who: 'anyone',
  why: 'visitors see public photos of open galleries, members all of theirs',
  scope: 'galleries:read',
} as const;

/** Photos of a gallery for visitors and members, likes and votes. */
export const photoRoutes = privateRoutes(
  async (server, photos: PhotoService, newVisitor: NewVisitor, sendCached: SendCached) => {
    await server.register(reactionRoutes(photos, newVisitor));

    server.get(
      '/api/v1/galleries/:id/full',
      call(VISIBLE, 'A gallery with all photos that the caller may see', {
        params: idParams,
        response: { 200: z.array(contract.fullGallery) },
      }),
      async (request) => [await photos.full(request.caller, request.params.id)],
    );

    server.get(
      '/api/v1/galleries/:id/gallery_photos',
      call(VISIBLE, 'Photos of a gallery, page by page', {
        params: idParams,
        querystring: shownPhotosQuery,
        response: { 200: contract.photosPage },
      }),
      async (request, reply) =>
        answerSameForAll(sendCached, request, reply, (setSubjects) =>
          photos.page(request.caller, request.params.id, { ...request.query, setSubjects }),
        ),
    );

    server.get(
      '/api/v1/galleries/:id/numbers',
      call(VISIBLE, 'Numbers of athletes on the photos of a gallery, if the organization makes them public', {
        params: idParams,
        response: { 200: contract.numbersAnswer },
      }),
      async (request, reply) =>
        answerSameForAll(sendCached, request, reply, (setSubjects) =>
          photos.numbers(request.caller, request.params.id, setSubjects),
        ),
    );
  },
);

/** Creates a visitor and its signed cookie. */
type NewVisitor = () => { visitorId: string; cookie: string };

const MAY_REACT = {
  who: 'anyone',
  why: 'anyone who may see a photo may like it, and vote where the gallery takes votes',
} as const;

/** `POST …/gallery_photos/{photoId}/add_like`, `remove_like`, `add_vote`, `remove_vote`. */
function reactionRoutes(
  photos: Pick<PhotoService, 'setLike' | 'setVote'>,
  newVisitor: NewVisitor,
): FastifyPluginAsyncZod {
  /**
   * Runs it for the known visitor, or for a new one who gets the cookie only after success: a refusal must not create
   * identities.
   */
  async function asVisitor<Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    ask: (visitor: Visitor) => Promise<Answer>,
  ): Promise<Answer> {
    const known = request.caller.visitorId;
    if (known !== null) return ask({ id: known, isNew: false });
    const made = newVisitor();
    const answer = await ask({ id: made.visitorId, isNew: true });
    setVisitorCookie(request, reply, made.cookie);
    return answer;
  }

  return async (server) => {
    for (const { path, summary, answer, set, on } of [
      { path: 'add_like', summary: 'Like a photo', answer: contract.likesAnswer, set: photos.setLike, on: true },
      { path: 'remove_like', summary: 'Remove a like', answer: contract.likesAnswer, set: photos.setLike, on: false },
      { path: 'add_vote', summary: 'Vote for a photo', answer: contract.votesAnswer, set: photos.setVote, on: true },
      { path: 'remove_vote', summary: 'Remove a vote', answer: contract.votesAnswer, set: photos.setVote, on: false },
    ])
      server.post(
        `/api/v1/galleries/:id/gallery_photos/:photoId/${path}`,
        call(MAY_REACT, summary, { params: photoParams, response: { 200: answer } }),
        async (request, reply) => {
          const { id: galleryId, photoId } = request.params;
          return asVisitor<LikesAnswer | VotesAnswer>(request, reply, (visitor) =>
            set(request.caller, { galleryId, photoId }, visitor, on),
          );
        },
      );
  };
}

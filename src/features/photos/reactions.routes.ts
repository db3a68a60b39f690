import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { Visitor } from '#src/features/photos/reactions.service.ts';
import { likesAnswer, votesAnswer } from '#src/features/photos/photos.contract.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { setVisitorCookie } from '#src/http/cookies.ts';
import { idSchema } from '#src/shared/validators.ts';

/** Makes a visitor and the signed cookie that names them. */
export type NewVisitor = () => { visitorId: string; cookie: string };

const VISIBLE = {
  who: 'anyone',
  why: 'anyone who may see a photo may like it, and vote where the gallery takes votes',
} as const;
const params = z.object({ id: idSchema, photoId: idSchema });

/** `POST …/gallery_photos/{photoId}/add_like`, `remove_like`, `add_vote`, `remove_vote`. */
export function reactionRoutes(
  photos: Pick<PhotoService, 'setLike' | 'setVote'>,
  newVisitor: NewVisitor,
): FastifyPluginAsyncZod {
  /** Asks as the known visitor, or as a new one who gets the cookie only once the opinion was taken: a refusal must not hand out identities. */
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
    for (const [call, on] of [
      ['add_like', true],
      ['remove_like', false],
    ] as const) {
      server.post(
        `/api/v1/galleries/:id/gallery_photos/:photoId/${call}`,
        {
          config: { access: VISIBLE },
          schema: { summary: on ? 'Like a photo' : 'Remove a like', params, response: { 200: likesAnswer } },
        },
        async (request, reply) =>
          asVisitor(request, reply, (visitor) =>
            photos.setLike(
              request.caller,
              { galleryId: request.params.id, photoId: request.params.photoId },
              visitor,
              on,
            ),
          ),
      );
    }
    for (const [call, on] of [
      ['add_vote', true],
      ['remove_vote', false],
    ] as const) {
      server.post(
        `/api/v1/galleries/:id/gallery_photos/:photoId/${call}`,
        {
          config: { access: VISIBLE },
          schema: { summary: on ? 'Vote for a photo' : 'Remove a vote', params, response: { 200: votesAnswer } },
        },
        async (request, reply) =>
          asVisitor(request, reply, (visitor) =>
            photos.setVote(
              request.caller,
              { galleryId: request.params.id, photoId: request.params.photoId },
              visitor,
              on,
            ),
          ),
      );
    }
  };
}

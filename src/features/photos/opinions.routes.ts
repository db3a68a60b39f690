import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { Visitor } from '#src/features/photos/opinions.service.ts';
import { likesAnswer, votesAnswer } from '#src/features/photos/photos.contract.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { setVisitorCookie } from '#src/http/cookies.ts';
import { idSchema } from '#src/shared/validators.ts';

/** Makes a visitor and the signed cookie that names them. */
export type NewVisitor = () => { visitorId: string; cookie: string };

const VISIBLE = {
  who: 'anyone',
  why: 'whoever may see a photo may like it, and vote where the gallery takes votes',
} as const;
const params = z.object({ id: idSchema, photoId: idSchema });

/** `POST …/gallery_photos/{photoId}/add_like`, `remove_like`, `add_vote`, `remove_vote`. */
export function opinionRoutes(
  photos: Pick<PhotoService, 'setLike' | 'setVote'>,
  newVisitor: NewVisitor,
): FastifyPluginAsyncZod {
  function visitorOf(request: FastifyRequest, reply: FastifyReply): Visitor {
    const known = request.caller.visitorId;
    if (known !== null) return { id: known, isNew: false };
    const made = newVisitor();
    setVisitorCookie(request, reply, made.cookie);
    return { id: made.visitorId, isNew: true };
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
          schema: { summary: on ? 'Like a photo' : 'Take a like back', params, response: { 200: likesAnswer } },
        },
        async (request, reply) =>
          photos.setLike(
            request.caller,
            { galleryId: request.params.id, photoId: request.params.photoId },
            visitorOf(request, reply),
            on,
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
          schema: { summary: on ? 'Vote for a photo' : 'Take a vote back', params, response: { 200: votesAnswer } },
        },
        async (request, reply) =>
          photos.setVote(
            request.caller,
            { galleryId: request.params.id, photoId: request.params.photoId },
            visitorOf(request, reply),
            on,
          ),
      );
    }
  };
}

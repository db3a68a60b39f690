import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { photoAnswer } from '#src/features/photos/photos.contract.ts';
import { markPreviewQuery, markProgress, rotateBody } from '#src/features/pictures/pixels.contract.ts';
import type { PixelService } from '#src/features/pictures/pixels.service.ts';
import { idSchema } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session' } as const;

/** `POST …/gallery_photos/{photoId}/rotate` and `GET /api/v1/affiliates/{id}/watermark_preview`. */
export function pixelRoutes(
  pictures: Pick<PixelService, 'rotate' | 'previewMark' | 'markProgress'>,
): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));
    server.post(
      '/api/v1/galleries/:id/gallery_photos/:photoId/rotate',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Turn a photo clockwise, by one quarter or more',
          params: z.object({ id: idSchema, photoId: idSchema }),
          body: rotateBody,
          response: { 200: photoAnswer },
        },
      },
      async (request) =>
        pictures.rotate(request.caller, request.params.id, request.params.photoId, request.body?.turns),
    );

    server.get(
      '/api/v1/affiliates/:id/watermark_preview',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Preview of a photo with the watermark',
          params: z.object({ id: idSchema }),
          querystring: markPreviewQuery,
        },
      },
      async (request, reply) => {
        const picture = await pictures.previewMark(request.caller, request.params.id, request.query);
        return reply.type('image/jpeg').header('cache-control', 'private, no-store').send(picture);
      },
    );

    server.get(
      '/api/v1/affiliates/:id/watermark_progress',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'How many photos have the current watermark',
          params: z.object({ id: idSchema }),
          response: { 200: markProgress },
        },
      },
      async (request) => pictures.markProgress(request.caller, request.params.id),
    );
  };
}

import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { reactionRoutes, type NewVisitor } from '#src/features/photos/reactions.routes.ts';
import { fullGallery, photosPage } from '#src/features/photos/photos.contract.ts';
import { shownPhotosQuery } from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { idSchema } from '#src/shared/validators.ts';

const VISIBLE = { who: 'anyone', why: 'visitors see public photos of open galleries, members all of theirs' } as const;
const ofGallery = z.object({ id: idSchema });

/** The photos of a gallery as visitors and members see them, likes and votes. */
export function photoRoutes(photos: PhotoService, newVisitor: NewVisitor): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));
    await server.register(reactionRoutes(photos, newVisitor));

    server.get(
      '/api/v1/galleries/:id/full',
      {
        config: { access: VISIBLE },
        schema: {
          summary: 'A gallery with all photos that the caller may see',
          params: ofGallery,
          response: { 200: z.array(fullGallery) },
        },
      },
      async (request) => [await photos.full(request.caller, request.params.id)],
    );

    server.get(
      '/api/v1/galleries/:id/gallery_photos',
      {
        config: { access: VISIBLE },
        schema: {
          summary: 'Photos of a gallery, page by page',
          params: ofGallery,
          querystring: shownPhotosQuery,
          response: { 200: photosPage },
        },
      },
      async (request) => photos.page(request.caller, request.params.id, request.query),
    );
  };
}

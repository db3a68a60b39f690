import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { deletedGalleries } from '#src/features/galleries/deleted-galleries.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { idSchema } from '#src/shared/validators.ts';

/** `GET /api/v1/affiliates/{id}/deleted_galleries`; `PUT /api/v1/galleries/{id} {gallery:{active:true}}` brings one back. */
export function deletedGalleryRoutes(galleries: Pick<GalleryService, 'listDeleted'>): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/affiliates/:id/deleted_galleries',
      {
        config: { access: { who: 'platform-admin' } },
        schema: {
          summary: 'Deleted galleries, newest first',
          params: z.object({ id: idSchema }),
          querystring: z.object({ after: z.optional(z.string()) }),
          response: { 200: deletedGalleries },
        },
      },
      async (request) => galleries.listDeleted(request.caller, request.params.id, request.query.after ?? null),
    );
  };
}

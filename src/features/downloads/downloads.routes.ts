/** `GET /api/v1/orders/{id}/download.zip`. Each photo by itself: `pictures/pictures.routes.ts`. */
import * as z from 'zod/mini';
import type { Archives } from '#src/features/downloads/archives.service.ts';
import { fileHeader } from '#src/features/photos/photo-title.rules.ts';
import { routes, SECRET_ADDRESS } from '#src/http/call.ts';
import { sendDownload } from '#src/http/send-download.ts';
import { idSchema } from '#src/shared/validators.ts';

const archiveQuery = z.object({ pass: z.optional(idSchema), new: z.optional(z.string()) });

export const downloadRoutes = routes((server, archives: Archives) => {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/api/v1/orders/:id/download.zip',
    exposeHeadRoute: false,
    config: { access: { who: 'anyone', why: 'the vanity id is the key; the right to each photo is checked' } },
    schema: {
      summary:
        'All photos of an order, stored in one archive; resumable by Range. `pass`: those of a pass; `new=true`: those since its last archive',
      params: z.object({ id: z.string() }),
      querystring: archiveQuery,
    },
    handler: async (request, reply) => {
      const archive = await archives.archive(request.caller, request.params.id, {
        passId: request.query.pass ?? null,
        onlyNew: request.query.new === 'true',
      });
      reply
        .type('application/zip')
        .header('etag', archive.etag)
        .header('cache-control', 'private, no-store')
        .headers(SECRET_ADDRESS);
      return sendDownload(request, reply, { ...archive, disposition: fileHeader(archive.fileName) });
    },
  });
});

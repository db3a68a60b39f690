import * as z from 'zod/mini';
import { exportAnswer, exportsAnswer } from '#src/features/exports/exports.contract.ts';
import type { ExportService } from '#src/features/exports/exports.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';
import { sendDownload } from '#src/http/send-download.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

/** Far more than any export has; larger numbers do not fit into the database's type. */
const MOST_PARTS = 100_000;

/** `/api/v1/affiliates/{id}/exports`: an organization's exports of its own data. */
export const exportRoutes = privateRoutes((server, exports: ExportService) => {
  server.get(
    '/api/v1/affiliates/:id/exports',
    call({ who: 'session' }, 'Copies of an organization’s data, newest first', {
      params: idParams,
      response: { 200: exportsAnswer },
    }),
    async (request) => ({ exports: await exports.list(request.caller, request.params.id) }),
  );

  server.post(
    '/api/v1/affiliates/:id/exports',
    call({ who: 'session' }, 'Ask for a copy of an organization’s data; needs a password typed within ten minutes', {
      params: idParams,
      response: { 202: exportAnswer },
    }),
    async (request, reply) => reply.code(202).send(await exports.requestExport(request.caller, request.params.id)),
  );

  server.route({
    method: ['GET', 'HEAD'],
    url: '/api/v1/affiliates/:id/exports/:exportId/parts/:part',
    exposeHeadRoute: false,
    config: { access: { who: 'session' } },
    schema: {
      summary: 'One archive of a copy; resumable by Range',
      params: z.object({ id: idSchema, exportId: idSchema, part: idSchema.check(z.maximum(MOST_PARTS)) }),
    },
    handler: async (request, reply) => {
      const { id: organizationId, exportId, part } = request.params;
      const archive = await exports.part(request.caller, { organizationId, exportId, part });
      reply.type('application/zip').header('etag', archive.etag);
      const disposition = `attachment; filename="${archive.fileName}"`;
      return sendDownload(request, reply, { ...archive, disposition });
    },
  });
});

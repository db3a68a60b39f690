import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import * as contract from '#src/features/passes/passes.contract.ts';
import type { PassService } from '#src/features/passes/passes.service.ts';
import { call } from '#src/http/call.ts';
import { idSchema } from '#src/shared/validators.ts';

/** `GET /api/v1/orders/{vanity_id}/passes/{passId}/photos`. */
export function passRoutes(passes: Pick<PassService, 'photos'>): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/orders/:id/passes/:passId/photos',
      call(
        { who: 'anyone', why: 'the vanity id is the key; the right to each photo is checked' },
        'The photos of a pass that was bought, newest first',
        {
          params: z.object({ id: z.string(), passId: idSchema }),
          querystring: contract.passPhotosQuery,
          response: { 200: contract.passPhotosAnswer },
        },
      ),
      async (request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });
        const { id: vanityId, passId } = request.params;
        return passes.photos({ vanityId, passId }, request.query);
      },
    );
  };
}

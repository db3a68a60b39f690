import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { erasureAnswer, erasureBody } from '#src/features/erasures/erasures.contract.ts';
import type { ErasureService } from '#src/features/erasures/erasures.service.ts';
import { call } from '#src/http/call.ts';

/** `POST /api/v1/erasures`, for platform admins. */
export function erasureRoutes(erasures: ErasureService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));
    server.post(
      '/api/v1/erasures',
      call({ who: 'platform-admin' }, 'Erase what is kept of a person by email address; dry_run only tells', {
        body: erasureBody,
        response: { 200: erasureAnswer },
      }),
      async ({ caller, body }) => erasures.erase(caller, body.email, body.dry_run ?? false),
    );
  };
}

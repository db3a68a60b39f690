import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { versionAnswer } from '#src/features/version/version.contract.ts';
import type { VersionService } from '#src/features/version/version.service.ts';
import { call } from '#src/http/call.ts';

/** `GET /api/v1/version`. */
export function versionRoutes(version: VersionService): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/version',
      call({ who: 'platform-admin' }, 'Release, commit and schema of what runs here', {
        response: { 200: versionAnswer },
      }),
      async (request, reply) => {
        reply.header('cache-control', 'private, no-store');
        return version.describe(request.caller);
      },
    );
  };
}

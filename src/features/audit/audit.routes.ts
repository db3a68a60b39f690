import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { auditPage, auditQuery } from '#src/features/audit/audit.contract.ts';
import type { AuditService } from '#src/features/audit/audit.service.ts';
import { idSchema } from '#src/shared/validators.ts';

/** `GET /api/v1/affiliates/{id}/audit_log`. */
export function auditRoutes(audit: AuditService): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/affiliates/:id/audit_log',
      {
        config: { access: { who: 'session' } },
        schema: {
          summary: 'What was done to an organisation’s things, for members',
          params: z.object({ id: idSchema }),
          querystring: auditQuery,
          response: { 200: auditPage },
        },
      },
      async (request, reply) => {
        void reply.header('cache-control', 'private, no-store');
        return audit.list(request.caller, request.params.id, request.query);
      },
    );
  };
}

import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { markOrderBody } from '#src/features/admin-reports/reconciled-orders.contract.ts';
import type { OrderMarks } from '#src/features/admin-reports/reconciled-orders.service.ts';
import { adminReportRow } from '#src/features/admin-reports/admin-report.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

/** `PUT /api/v1/orders/{id}`: the platform's mark on an order, and nothing else of it (rule 6). */
export function orderMarkRoutes(marks: OrderMarks): FastifyPluginAsyncZod {
  return async (server) => {
    server.put(
      '/api/v1/orders/:id',
      {
        config: { access: { who: 'platform-admin', hides: true } },
        schema: {
          summary: 'Marks an order as reconciled or not reconciled',
          params: z.object({ id: idSchema }),
          body: markOrderBody,
          response: { 200: adminReportRow },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'private, no-store');
        return marks.mark(request.caller, request.params.id, request.body.order);
      },
    );
  };
}

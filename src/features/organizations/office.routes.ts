import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { deleteOrganizationQuery } from '#src/features/organizations/delete-organization.contract.ts';
import type { DeleteOrganizationService } from '#src/features/organizations/delete-organization.service.ts';

const PLATFORM_ADMINS = { who: 'platform-admin' } as const;

/** What platform admins do with whole organisations. */
export function officeRoutes(deletion: DeleteOrganizationService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    server.delete(
      '/api/v1/organizations/:domainName',
      {
        config: { access: PLATFORM_ADMINS },
        schema: {
          summary: 'Delete an organisation that is owed nothing',
          params: z.object({ domainName: z.string() }),
          querystring: deleteOrganizationQuery,
        },
      },
      async (request, reply) => {
        await deletion.remove(request.caller, request.params.domainName, request.query.org_id ?? null);
        return reply.code(204).send();
      },
    );
  };
}

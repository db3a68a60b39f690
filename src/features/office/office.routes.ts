import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { deleteOrganizationQuery } from '#src/features/office/delete-organization.contract.ts';
import type { DeleteOrganizationService } from '#src/features/office/delete-organization.service.ts';
import { newOrganizationBody } from '#src/features/office/new-org.contract.ts';
import type { NewOrganizationService } from '#src/features/office/new-org.service.ts';
import { publicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import { presentOrganization } from '#src/features/tenancy/organizations.rules.ts';

const PLATFORM_ADMINS = { who: 'platform-admin' } as const;

/** What platform admins do with whole organizations. */
export function officeRoutes(
  { newOrganizations, deletion }: { newOrganizations: NewOrganizationService; deletion: DeleteOrganizationService },
  policy: PasswordPolicy,
): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    server.post(
      '/api/v1/organizations',
      {
        config: { access: PLATFORM_ADMINS },
        schema: {
          summary: 'Open a parent organization with the account of its contact',
          body: newOrganizationBody(policy),
          response: { 201: publicOrganization },
        },
      },
      async (request, reply) =>
        reply.code(201).send(presentOrganization(await newOrganizations.create(request.caller, request.body))),
    );

    server.delete(
      '/api/v1/organizations/:domainName',
      {
        config: { access: PLATFORM_ADMINS },
        schema: {
          summary: 'Delete an organization that is owed nothing',
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

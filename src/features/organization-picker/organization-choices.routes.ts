import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { choicesQuery, organizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { OrganizationChoices } from '#src/features/organization-picker/organization-choices.service.ts';
import { call } from '#src/http/call.ts';

/** `GET /api/v1/organization_choices`: what platform admins choose from in their forms. */
export function organizationChoiceRoutes(choices: OrganizationChoices): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/organization_choices',
      call({ who: 'session' }, 'Organizations to choose from, for platform admins', {
        querystring: choicesQuery,
        response: { 200: z.array(organizationChoice) },
      }),
      async (request, reply) => {
        reply.header('cache-control', 'private, no-store');
        return choices.list(request.caller, request.query.of, request.query.q, request.query.parent_id);
      },
    );
  };
}

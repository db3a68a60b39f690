import * as z from 'zod/mini';
import { choicesQuery, organizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { OrganizationChoices } from '#src/features/organization-picker/organization-choices.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';

/** `GET /api/v1/organization_choices`: organizations for the forms of platform admins. */
export const organizationChoiceRoutes = privateRoutes((server, choices: OrganizationChoices) => {
  server.get(
    '/api/v1/organization_choices',
    call({ who: 'session' }, 'Organizations to choose from, for platform admins', {
      querystring: choicesQuery,
      response: { 200: z.array(organizationChoice) },
    }),
    async ({ caller, query }) => choices.list(caller, query.of, query.q, query.parent_id),
  );
});

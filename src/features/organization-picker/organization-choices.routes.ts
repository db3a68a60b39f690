import * as z from 'zod/mini';
import { choicesQuery, organizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { OrganizationChoices } from '#src/features/organization-picker/organization-choices.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';

/** `GET /api/v1/organization_choices`: organizations for forms of platform admins and of members of a parent. */
export const organizationChoiceRoutes = privateRoutes((server, choices: OrganizationChoices) => {
  server.get(
    '/api/v1/organization_choices',
    call(
      { who: 'session' },
      'Organizations to choose from, for platform admins; with parent_id also for members of that parent',
      {
        querystring: choicesQuery,
        response: { 200: z.array(organizationChoice) },
      },
    ),
    async ({ caller, query }) => choices.list(caller, query.of, query.q, query.parent_id),
  );
});

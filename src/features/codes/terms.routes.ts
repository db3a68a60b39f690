import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { termsAnswer, termsBody } from '#src/features/codes/terms.contract.ts';
import type { TermsService } from '#src/features/codes/terms.service.ts';
import { idSchema } from '#src/shared/validators.ts';

const ADMINS = { who: 'platform-admin' } as const;
const ofOrganization = z.object({ id: idSchema });

/** `/api/v1/organizations/{id}/terms`: plan, share and flags, for platform admins. */
export function termsRoutes(terms: TermsService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    server.get(
      '/api/v1/organizations/:id/terms',
      {
        config: { access: ADMINS },
        schema: {
          summary: 'Plan, share and flags of an organization',
          params: ofOrganization,
          response: { 200: termsAnswer },
        },
      },
      async (request) => terms.read(request.caller, request.params.id),
    );

    server.put(
      '/api/v1/organizations/:id/terms',
      {
        config: { access: ADMINS },
        schema: {
          summary: 'Change plan, share and flags of an organization',
          params: ofOrganization,
          body: termsBody,
          response: { 200: termsAnswer },
        },
      },
      async (request) => terms.change(request.caller, request.params.id, request.body.terms),
    );
  };
}

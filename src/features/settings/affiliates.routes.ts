import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { affiliateAnswer } from '#src/features/settings/affiliates.contract.ts';
import type { AffiliateService } from '#src/features/settings/affiliates.service.ts';
import { idSchema } from '#src/shared/validators.ts';

/** `GET /api/v1/affiliates/{domainName}?org_id=`. */
export function affiliateRoutes(affiliates: AffiliateService): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/affiliates/:domainName',
      {
        config: { access: { who: 'anyone', why: 'public facts and listed galleries; members see their own' } },
        schema: {
          summary: 'An affiliate with its galleries',
          params: z.object({ domainName: z.string() }),
          querystring: z.object({ org_id: z.optional(idSchema) }),
          response: { 200: z.array(affiliateAnswer) },
        },
      },
      async (request) => [
        await affiliates.read(request.caller, request.params.domainName, request.query.org_id ?? null),
      ],
    );
  };
}

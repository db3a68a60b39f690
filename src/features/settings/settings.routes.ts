import * as z from 'zod/mini';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { settingsAnswer, settingsBody } from '#src/features/settings/settings.contract.ts';
import type { SettingsService } from '#src/features/settings/settings.service.ts';
import { AFFILIATE_ID_MISSING } from '#src/features/tenancy/settings-words.contract.ts';
import { fieldProblem } from '#src/shared/problem.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';
import { affiliateAnswer } from '#src/features/settings/affiliates.contract.ts';
import type { AffiliateService } from '#src/features/settings/affiliates.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';

/** `PUT /api/v1/affiliates/{id}`, and the watermark image for members. */
export const settingsRoutes = privateRoutes((server, settings: SettingsService, policy: PasswordPolicy) => {
  server.put(
    '/api/v1/affiliates/:id',
    call({ who: 'session' }, 'Change the settings of an affiliate or a parent organization', {
      params: idParams,
      body: settingsBody(policy),
      response: { 200: z.array(settingsAnswer) },
    }),
    async (request) => [
      await settings.change(request.caller, request.params.id, {
        changes: request.body.affiliate,
        userId: request.body.user_id ?? null,
      }),
    ],
  );

  server.put('/api/v1/affiliates/', call({ who: 'session' }, 'Refuse a change without an id'), async () => {
    throw fieldProblem({ id: [AFFILIATE_ID_MISSING] });
  });

  server.get(
    '/api/v1/affiliates/:id/watermark',
    call({ who: 'session' }, 'The watermark image, for members', {
      params: idParams,
      querystring: z.object({ v: z.optional(z.string()) }),
    }),
    async (request, reply) => reply.type('image/png').send(await settings.watermark(request.caller, request.params.id)),
  );
});

/** `GET /api/v1/affiliates/{domainName}?org_id=&after=`. */
export const affiliateRoutes = privateRoutes((server, affiliates: AffiliateService) => {
  server.get(
    '/api/v1/affiliates/:domainName',
    call(
      { who: 'anyone', why: 'public facts and listed galleries; members see their own' },
      'An affiliate with its galleries',
      {
        params: z.object({ domainName: z.string() }),
        querystring: z.object({ org_id: z.optional(idSchema), after: z.optional(z.string()) }),
        response: { 200: z.array(affiliateAnswer) },
      },
    ),
    async ({ caller, params, query: { org_id: orgId = null, after = null } }) => [
      await affiliates.read(caller, params.domainName, { orgId, after }),
    ],
  );
});

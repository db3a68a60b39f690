import * as z from 'zod/mini';
import { sponsorCount, sponsorSlot, sponsorViewBody } from '#src/features/branding/sponsors.contract.ts';
import type { SponsorService } from '#src/features/branding/sponsors.service.ts';
import { call, noContent, privateRoutes } from '#src/http/call.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

const PUBLIC = { who: 'anyone', why: 'banners are public; only a count is written' } as const;

/** Sponsors' banners: views, clicks and their counts. No cookie is set. */
export const sponsorRoutes = privateRoutes((server, sponsors: SponsorService) => {
  server.post(
    '/api/v1/organizations/:id/sponsor_views',
    call(PUBLIC, 'Count a view of a sponsor’s banner', { params: idParams, body: sponsorViewBody }),
    async (request, reply) =>
      noContent(
        reply,
        sponsors.countView(request.caller, {
          organizationId: request.params.id,
          slot: request.body.slot,
          userAgent: request.headers['user-agent'],
        }),
      ),
  );

  server.get(
    '/api/v1/organizations/:id/sponsors/:slot',
    call(PUBLIC, 'Open the link of a sponsor’s banner', { params: z.object({ id: idSchema, slot: sponsorSlot }) }),
    async (request, reply) => {
      const { id, slot } = request.params;
      const link = await sponsors.follow(request.caller, {
        organizationId: id,
        slot,
        userAgent: request.headers['user-agent'],
      });
      return reply.header('x-robots-tag', 'noindex, nofollow').redirect(link, 302);
    },
  );

  server.get(
    '/api/v1/organizations/:id/sponsors',
    call({ who: 'session' }, 'How often sponsors’ banners were seen and clicked, for members', {
      params: idParams,
      response: { 200: z.array(sponsorCount) },
    }),
    async (request) => sponsors.counts(request.caller, request.params.id),
  );
});

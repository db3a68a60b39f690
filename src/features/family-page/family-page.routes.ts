import { childParams } from '#src/features/families/families.contract.ts';
import * as contract from '#src/features/family-page/family-page.contract.ts';
import type { FamilyPageService } from '#src/features/family-page/family-page.service.ts';
import { call, routes } from '#src/http/call.ts';

const BY_COOKIE = { who: 'anyone', why: 'the signed cookie of the family says which children it may see' } as const;

/** `GET /api/v1/family/photos`, `POST /api/v1/family/{child}/consent` and `…/forget_us`. */
export const familyPageRoutes = routes((server, page: FamilyPageService) => {
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
  });

  server.get(
    '/api/v1/family/photos',
    call(BY_COOKIE, 'Photos of a child that is open in this browser, newest game first', {
      querystring: contract.familyPhotosQuery,
      response: { 200: contract.familyPhotosAnswer },
    }),
    async (request) => page.photos(request.caller, request.query),
  );

  server.post(
    '/api/v1/family/:child/consent',
    call(BY_COOKIE, 'Set, as a family, what may be published of its child', {
      params: childParams,
      body: contract.consentBody,
      response: { 200: contract.consentAnswer },
    }),
    async (request) => page.answerConsent(request.caller, request.params.child, request.body.consent),
  );

  server.post(
    '/api/v1/family/:child/forget_us',
    call(BY_COOKIE, 'Delete the email addresses of a child’s family, and end emails about its photos', {
      params: childParams,
      response: { 200: contract.forgottenAnswer },
    }),
    async (request) => page.forgetUs(request.caller, request.params.child),
  );
});

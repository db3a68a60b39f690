import * as contract from '#src/features/codes/issued-codes.contract.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';
import type { IssuedCodeService } from '#src/features/codes/issued-codes.service.ts';
import { idParams } from '#src/shared/validators.ts';
import { termsAnswer, termsBody } from '#src/features/codes/terms.contract.ts';
import type { TermsService } from '#src/features/codes/terms.service.ts';

/** `/api/v1/promo_codes…`: promo codes, for platform admins. */
export const issuedCodeRoutes = privateRoutes((server, codes: IssuedCodeService) => {
  server.get(
    '/api/v1/promo_codes',
    call(ADMINS, 'Promo codes, newest first', {
      querystring: contract.codesQuery,
      response: { 200: contract.issuedCodes },
    }),
    async (request) => codes.list(request.caller, request.query),
  );

  server.post(
    '/api/v1/promo_codes',
    call(ADMINS, 'Issue a promo code', { body: contract.newCodeBody, response: { 201: contract.issuedCode } }),
    async (request, reply) => reply.code(201).send(await codes.issue(request.caller, request.body.promo_code)),
  );

  server.put(
    '/api/v1/promo_codes/:id',
    call(ADMINS, 'Change the limit and last day of a promo code', {
      params: idParams,
      body: contract.codeChangesBody,
      response: { 200: contract.issuedCode },
    }),
    async (request) => codes.change(request.caller, request.params.id, request.body.promo_code),
  );

  server.post(
    '/api/v1/promo_codes/:id/end',
    call(ADMINS, 'End a promo code', { params: idParams, response: { 200: contract.issuedCode } }),
    async (request) => codes.end(request.caller, request.params.id),
  );

  server.get(
    '/api/v1/promo_codes/:id/redemptions',
    call(ADMINS, 'Accounts that were created with a promo code, newest first', {
      params: idParams,
      querystring: contract.redemptionsQuery,
      response: { 200: contract.redemptions },
    }),
    async (request) => codes.redemptions(request.caller, request.params.id, request.query),
  );
});

/** `/api/v1/organizations/{id}/terms`: plan, share and flags, for platform admins. */
export const termsRoutes = privateRoutes((server, terms: TermsService) => {
  server.get(
    '/api/v1/organizations/:id/terms',
    call(ADMINS, 'Plan, share and flags of an organization', { params: idParams, response: { 200: termsAnswer } }),
    async (request) => terms.read(request.caller, request.params.id),
  );

  server.put(
    '/api/v1/organizations/:id/terms',
    call(ADMINS, 'Change plan, share and flags of an organization', {
      params: idParams,
      body: termsBody,
      response: { 200: termsAnswer },
    }),
    async (request) => terms.change(request.caller, request.params.id, request.body.terms),
  );
});

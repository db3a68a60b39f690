import * as contract from '#src/features/api-tokens/api-tokens.contract.ts';
import type { ApiTokenService } from '#src/features/api-tokens/api-tokens.service.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';
import { pageQuery } from '#src/shared/paging.ts';

/**
 * `/api/v1/affiliates/{id}/api_tokens`, and `GET /api/v1/api_token`, with which a program reads its own token. They name no
 * scope, so a token can never create or revoke another.
 */
export const apiTokenRoutes = privateRoutes((server, tokens: ApiTokenService) => {
  server.get(
    '/api/v1/affiliates/:id/api_tokens',
    call(MEMBERS, 'API tokens of an organization, newest first', {
      params: idParams,
      querystring: pageQuery,
      response: { 200: contract.tokensPage },
    }),
    async (request) => tokens.list(request.caller, request.params.id, request.query),
  );

  server.post(
    '/api/v1/affiliates/:id/api_tokens',
    call(MEMBERS, 'Create an API token; only this response has it', {
      params: idParams,
      body: contract.newTokenBody,
      response: { 201: contract.madeToken },
    }),
    async (request, reply) =>
      reply.code(201).send(await tokens.createToken(request.caller, request.params.id, request.body)),
  );

  server.delete(
    '/api/v1/affiliates/:id/api_tokens/:tokenId',
    call(MEMBERS, 'Revoke an API token', { params: contract.tokenParams, response: { 200: contract.tokenAnswer } }),
    async (request) => tokens.revoke(request.caller, request.params.id, request.params.tokenId),
  );

  server.get(
    '/api/v1/api_token',
    call({ who: 'token' }, 'What the token of this call is, and for whom', {
      response: { 200: contract.currentToken },
    }),
    async (request) => tokens.current(request.caller),
  );
});

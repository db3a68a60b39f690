import * as contract from '#src/features/tagging/tagging.contract.ts';
import type { TaggingService } from '#src/features/tagging/tagging.service.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

/**
 * `/api/v1/galleries/{id}/tags`, `…/tagging`: who is on the photos, for members of the organization. No API tokens: these
 * calls return names of children.
 */
export const taggingRoutes = privateRoutes((server, tagging: TaggingService) => {
  server.put(
    '/api/v1/galleries/:id/tags',
    call(
      MEMBERS,
      'Tag photos, by athlete or by number of a team',
      { params: idParams, body: contract.tagsBody, response: { 200: contract.tagsAnswer } },
      { changes: [{ photo_ids: [42, 43], add: [{ team_id: 7, number: '10' }] }], client_key: 'desk-1-batch-1' },
    ),
    async (request) => tagging.change(request.caller, request.params.id, request.body),
  );

  server.get(
    '/api/v1/galleries/:id/tagging',
    call(MEMBERS, 'Photos of a gallery with who is on them, page by page', {
      params: idParams,
      querystring: contract.taggingQuery,
      response: { 200: contract.taggingPage },
    }),
    async (request) => tagging.page(request.caller, request.params.id, request.query),
  );

  server.post(
    '/api/v1/galleries/:id/tagging/take',
    call(MEMBERS, 'Take the next photos of a gallery to tag, for twenty minutes', {
      params: idParams,
      body: contract.takeBody,
      response: { 200: contract.takeAnswer },
    }),
    async (request) => tagging.take(request.caller, request.params.id, request.body.count),
  );

  server.post(
    '/api/v1/galleries/:id/tagging/keywords',
    call(MEMBERS, 'Turn keywords that are numbers into tags', {
      params: idParams,
      response: { 200: contract.keywordsAnswer },
    }),
    async (request) => tagging.turnKeywords(request.caller, request.params.id),
  );
});

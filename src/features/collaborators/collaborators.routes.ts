import * as z from 'zod/mini';
import {
  collaboratorsPage,
  contributeKeyAnswer,
  contributeKeyBody,
  inviteAnswer,
  inviteBody,
} from '#src/features/collaborators/collaborators.contract.ts';
import { decidedAnswer, decisionBody, waitingPage } from '#src/features/contributors/contributors.contract.ts';
import type { CollaboratorService } from '#src/features/collaborators/collaborators.service.ts';
import type { ContributorService } from '#src/features/contributors/contributors.service.ts';
import { call, noContent, MEMBERS, privateRoutes, type Server } from '#src/http/call.ts';
import { BAD_PLACE } from '#src/shared/paging.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

const paged = z.object({ after: z.optional(z.string().check(z.maxLength(500, BAD_PLACE))) });
type Reviews = Pick<ContributorService, 'waiting' | 'decide'>;

/** Inviting and reviewing, for members of the gallery's organization. */
export const collaboratorRoutes = privateRoutes((server, collaborators: CollaboratorService, contributors: Reviews) => {
  linkRoutes(server, collaborators);
  inviteRoutes(server, collaborators);
  reviewRoutes(server, contributors);
});

/** The link of a gallery. */
function linkRoutes(server: Server, collaborators: CollaboratorService): void {
  server.post(
    '/api/v1/galleries/:id/contribute_key',
    call(MEMBERS, 'Rotate, change or revoke the contributor link of a gallery', {
      params: idParams,
      body: contributeKeyBody,
      response: { 200: contributeKeyAnswer },
    }),
    async (request) => collaborators.changeKey(request.caller, request.params.id, request.body),
  );

  server.get(
    '/api/v1/galleries/:id/contribute_qr',
    call(MEMBERS, 'The contributor link as a QR code (SVG)', { params: idParams }),
    async (request, reply) =>
      reply.type('image/svg+xml').send(await collaborators.linkAsQr(request.caller, request.params.id)),
  );
}

/** Personal links. */
function inviteRoutes(server: Server, collaborators: CollaboratorService): void {
  server.post(
    '/api/v1/affiliates/:id/collaborator',
    call(MEMBERS, 'Email someone a personal contributor link', {
      params: idParams,
      body: inviteBody,
      response: { 200: inviteAnswer },
    }),
    async (request) => collaborators.invite(request.caller, request.params.id, request.body),
  );

  server.get(
    '/api/v1/galleries/:id/collaborators',
    call(MEMBERS, 'The contributor link, the invited people and their contributions', {
      params: idParams,
      querystring: paged,
      response: { 200: collaboratorsPage },
    }),
    async (request) => collaborators.collaborators(request.caller, request.params.id, request.query.after),
  );

  server.delete(
    '/api/v1/galleries/:id/collaborators/:inviteId',
    call(MEMBERS, 'End a personal contributor link', { params: z.object({ id: idSchema, inviteId: idSchema }) }),
    async (request, reply) =>
      noContent(reply, collaborators.revokeInvite(request.caller, request.params.id, request.params.inviteId)),
  );
}

function reviewRoutes(server: Server, contributors: Reviews): void {
  server.get(
    '/api/v1/galleries/:id/contributions',
    call(MEMBERS, 'Contributions waiting for a decision, page by page', {
      params: idParams,
      querystring: paged,
      response: { 200: waitingPage },
    }),
    async (request) => contributors.waiting(request.caller, request.params.id, request.query.after),
  );

  server.put(
    '/api/v1/galleries/:id/contributions',
    call(
      MEMBERS,
      'Approve, reject (remove) or restore contributions',
      { params: idParams, body: decisionBody, response: { 200: decidedAnswer } },
      { decision: 'approve', ids: [42, 43] },
    ),
    async (request) => contributors.decide(request.caller, request.params.id, request.body),
  );
}

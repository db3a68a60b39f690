import * as z from 'zod/mini';
import { addedMember, addMemberBody, memberAnswer } from '#src/features/members/members.contract.ts';
import type { MemberService } from '#src/features/members/members.service.ts';
import { ADMINS, call, privateRoutes, noContent } from '#src/http/call.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

const memberParams = z.object({ id: idSchema, userId: idSchema });

/** `/api/v1/organizations/{id}/members…`: who has access, for platform admins. */
export const memberRoutes = privateRoutes((server, members: MemberService) => {
  server.get(
    '/api/v1/organizations/:id/members',
    call(ADMINS, 'Who has access to an organization', {
      params: idParams,
      response: { 200: z.array(memberAnswer) },
    }),
    async (request) => members.list(request.caller, request.params.id),
  );

  server.post(
    '/api/v1/organizations/:id/members',
    call(ADMINS, 'Give someone access to an organization; people without an account are invited', {
      params: idParams,
      body: addMemberBody,
      response: { 201: addedMember },
    }),
    async (request, reply) => reply.code(201).send(await members.add(request.caller, request.params.id, request.body)),
  );

  server.delete(
    '/api/v1/organizations/:id/members/:userId',
    call(ADMINS, 'Remove someone’s access to an organization', { params: memberParams }),
    async (request, reply) =>
      noContent(reply, members.remove(request.caller, request.params.id, request.params.userId)),
  );

  server.post(
    '/api/v1/organizations/:id/members/:userId/password_letter',
    call(ADMINS, 'Send a member of an organization a password reset link', {
      params: memberParams,
      response: { 202: z.object({}) },
    }),
    async (request, reply) => {
      await members.sendPasswordEmail(request.caller, request.params.id, request.params.userId);
      return reply.code(202).send({});
    },
  );
});

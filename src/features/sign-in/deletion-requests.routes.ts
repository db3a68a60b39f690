import * as z from 'zod/mini';
import type { DeletionRequests } from '#src/features/sign-in/deletion-requests.service.ts';
import { call, noContent, privateRoutes } from '#src/http/call.ts';

/** `POST` and `DELETE /api/v1/deletion-request`: about the caller's own account. */
export const deletionRequestRoutes = privateRoutes((server, requests: DeletionRequests) => {
  server.post(
    '/api/v1/deletion-request',
    call({ who: 'session' }, 'Ask that your own account be deleted', { response: { 202: z.object({}) } }),
    async (request, reply) => {
      await requests.ask(request.caller);
      return reply.code(202).send({});
    },
  );

  server.delete(
    '/api/v1/deletion-request',
    call({ who: 'session' }, 'Withdraw the request that your own account be deleted', {}),
    async (request, reply) => noContent(reply, requests.withdraw(request.caller)),
  );
});

import * as z from 'zod/mini';
import { confirmEmailBody } from '#src/features/accounts/email-proof.contract.ts';
import type { EmailProofs } from '#src/features/accounts/email-proof.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';

/** `POST /api/v1/confirm-email` and `POST /api/v1/confirm-email/link`. */
export const emailProofRoutes = routes((server, proofs: EmailProofs) => {
  server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  server.post(
    '/api/v1/confirm-email',
    call({ who: 'session' }, 'Confirm your own email address with the token of the emailed link', {
      body: confirmEmailBody,
    }),
    async (request, reply) => noContent(reply, proofs.confirm(request.caller, request.body.token)),
  );

  server.post(
    '/api/v1/confirm-email/link',
    call({ who: 'session' }, 'Send the link that confirms your own email address again', {
      response: { 202: z.object({ email: z.string() }) },
    }),
    async (request, reply) => reply.code(202).send({ email: await proofs.sendAgain(request.caller) }),
  );
});

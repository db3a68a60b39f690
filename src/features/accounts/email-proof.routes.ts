import * as z from 'zod/mini';
import { confirmEmailBody } from '#src/features/accounts/email-proof.contract.ts';
import type { EmailProofs } from '#src/features/accounts/email-proof.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';
import type { FormPost, FormResult, PlainForm } from '#src/http/plain-forms.ts';
import { problem } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

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

type ProofDeps = { emailProofs: Pick<EmailProofs, 'confirm' | 'sendAgain'> };

/** The form of `/confirm-email` for browsers without JavaScript. */
export const confirmEmailForm = (app: ProofDeps): PlainForm => ({
  path: '/confirm-email',
  why: 'the service asks for the session',
  handle: (post) => confirm(app, post),
});

async function confirm({ emailProofs }: ProofDeps, { caller, fields }: FormPost): Promise<FormResult> {
  if (fields['again'] !== undefined) {
    await emailProofs.sendAgain(caller);
    return { to: '/confirm-email?sent=yes' };
  }
  const parsed = confirmEmailBody.safeParse({ token: fields['token'] ?? '' });
  if (!parsed.success) throw problem('invalid', Object.values(errorsOf(parsed.error)).flat()[0] ?? '');
  await emailProofs.confirm(caller, parsed.data.token);
  return { to: '/confirm-email' };
}

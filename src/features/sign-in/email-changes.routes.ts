import * as z from 'zod/mini';
import { changeEmailBody, confirmChangeBody } from '#src/features/sign-in/email-changes.contract.ts';
import type { EmailChanges } from '#src/features/sign-in/email-changes.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';
import { parseForm, type FormPost, type FormResult, type PlainForm } from '#src/http/plain-forms.ts';

/** `POST /api/v1/change-email` and `POST /api/v1/change-email/confirm`. */
export const emailChangeRoutes = routes((server, changes: EmailChanges) => {
  server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  server.post(
    '/api/v1/change-email',
    call({ who: 'session' }, 'Send a link that changes your own email address to the new one', {
      body: changeEmailBody,
      response: { 202: z.object({}) },
    }),
    async (request, reply) => {
      await changes.ask(request.caller, request.body.email);
      return reply.code(202).send({});
    },
  );

  server.post(
    '/api/v1/change-email/confirm',
    call({ who: 'session' }, 'Change your own email address with the token of the emailed link', {
      body: confirmChangeBody,
    }),
    async (request, reply) => noContent(reply, changes.confirm(request.caller, request.body.token)),
  );
});

type ChangeDeps = { emailChanges: Pick<EmailChanges, 'confirm'> };

/** The form of `/change-email` for browsers without JavaScript. */
export const changeEmailForm = (app: ChangeDeps): PlainForm => ({
  path: '/change-email',
  why: 'the service asks for the session',
  handle: (post) => confirm(app, post),
});

async function confirm({ emailChanges }: ChangeDeps, { caller, fields }: FormPost): Promise<FormResult> {
  const { token } = parseForm(confirmChangeBody, { token: fields['token'] ?? '' });
  await emailChanges.confirm(caller, token);
  return { to: '/change-email?done=yes' };
}

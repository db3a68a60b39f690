import * as z from 'zod/mini';
import {
  askForResetBody,
  choosePasswordBody,
  ownPasswordBody,
  type PasswordPolicy,
} from '#src/features/sign-in/passwords.contract.ts';
import type { Logins } from '#src/features/sign-in/logins.service.ts';
import type { PasswordService } from '#src/features/sign-in/passwords.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';
import { setDeviceCookie } from '#src/http/cookies.ts';

/** `POST /password` (forgot) and `PUT /password` (update). */
export const passwordRoutes = routes(
  (server, passwords: PasswordService, logins: Pick<Logins, 'deviceFor'>, policy: PasswordPolicy) => {
    server.addHook('onSend', async (_request, reply) => {
      void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    });
    server.post(
      '/password',
      call(
        { who: 'anyone', why: 'someone who forgot the password has no session', ignoresSession: true },
        'Request a password reset link; the response is the same for every address',
        { body: askForResetBody, response: { 201: z.object({}) } },
      ),
      async (request, reply) => {
        await passwords.askForReset(request.caller, request.body.user.email);
        return reply.code(201).send({});
      },
    );

    server.put(
      '/password',
      call(
        { who: 'anyone', why: 'the token of the email is the key', ignoresSession: true },
        'Choose a new password with the token of the email',
        { body: choosePasswordBody(policy) },
      ),
      async (request, reply) => {
        const email = await passwords.choosePassword(request.caller, request.body.user);
        setDeviceCookie(request, reply, logins.deviceFor(email));
        return reply.code(204).send();
      },
    );

    server.put(
      '/users/current/password',
      call({ who: 'session', whileChoosing: true }, 'Choose your own password after logging in', {
        body: ownPasswordBody(policy),
      }),
      async (request, reply) => noContent(reply, passwords.chooseOwn(request.caller, request.body.password)),
    );
  },
);

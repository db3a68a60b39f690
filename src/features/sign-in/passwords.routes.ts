import * as z from 'zod/mini';
import {
  askForResetBody,
  choosePasswordBody,
  ownPasswordBody,
  updatePasswordProblems,
  type PasswordPolicy,
} from '#src/features/sign-in/passwords.contract.ts';
import type { Logins } from '#src/features/sign-in/logins.service.ts';
import type { PasswordService } from '#src/features/sign-in/passwords.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';
import { setDeviceCookie } from '#src/http/cookies.ts';
import { parseForm, type FormPost, type FormResult, type PlainForm } from '#src/http/plain-forms.ts';
import { fieldProblem } from '#src/shared/problem.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';

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

type PasswordDeps = {
  passwords: Pick<PasswordService, 'askForReset' | 'choosePassword'>;
  logins: Pick<Logins, 'deviceFor'>;
};

/** The forms of `/forgot-password` and `/update-password` for browsers without JavaScript. */
export const passwordForms = (app: PasswordDeps, policy: PasswordPolicy): PlainForm[] => [
  {
    path: '/forgot-password',
    why: 'someone who forgot the password has no session',
    handle: (post) => requestReset(app, post),
  },
  {
    path: '/update-password',
    why: 'the token of the mailed link is the key',
    handle: (post) => choose(app, policy, post),
  },
];

async function requestReset({ passwords }: PasswordDeps, { caller, fields }: FormPost): Promise<FormResult> {
  const { user } = parseForm(askForResetBody, { user: { email: fields['email'] ?? '' } });
  await passwords.askForReset(caller, user.email);
  return { to: '/forgot-password?sent=yes' };
}

async function choose(
  { passwords, logins }: PasswordDeps,
  policy: PasswordPolicy,
  { caller, fields, url }: FormPost,
): Promise<FormResult> {
  const password = fields['password'] ?? '';
  const messages = updatePasswordProblems(password, fields['confirm'] ?? '');
  if (messages.length > 0) throw fieldProblem({ password: messages });
  const token = url.searchParams.get('reset_password_token') ?? '';
  const { user } = parseForm(choosePasswordBody(policy), { user: { password, reset_password_token: token } });
  const email = await passwords.choosePassword(caller, user);
  const query = new URLSearchParams({ redirect: safeRedirect(url.searchParams.get('redirect')), updated: 'yes' });
  return { to: `/login?${query}`, device: logins.deviceFor(email) };
}

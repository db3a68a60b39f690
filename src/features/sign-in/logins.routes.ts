import * as z from 'zod/mini';
import { userAnswer } from '#src/features/tenancy/users.contract.ts';
import {
  confirmPasswordBody,
  EMAIL_REQUIRED_TO_LOG_IN,
  loginBody,
  PASSWORD_REQUIRED_TO_LOG_IN,
} from '#src/features/accounts/accounts.contract.ts';
import { destinationOf, requestedPath } from '#src/features/accounts/accounts.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { Logins } from '#src/features/sign-in/logins.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';
import { clearSessionCookie, DEVICE_COOKIE, setDeviceCookie, setSessionCookie } from '#src/http/cookies.ts';
import { parseForm, type FormPost, type FormResult, type PlainForm } from '#src/http/plain-forms.ts';
import { refuseFields, type FieldErrors } from '#src/shared/problem.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';

/** `POST /login`, `POST /logout`, `GET /users/current`, `POST /api/v1/confirm-password`. */
export const accountRoutes = routes((server, accounts: AccountService, logins: Logins) => {
  server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  server.post(
    '/login',
    call({ who: 'anyone', why: 'this is how a session starts' }, 'Log in', {
      body: loginBody,
      response: { 200: z.array(userAnswer) },
    }),
    async (request, reply) => {
      const known = request.cookies[DEVICE_COOKIE] ?? null;
      const { user, token, device } = await logins.logIn(request.caller, request.body.user, known);
      setSessionCookie(request, reply, token);
      setDeviceCookie(request, reply, device);
      reply.header('authorization', `Bearer ${token}`);
      return [user];
    },
  );

  server.post(
    '/logout',
    call({ who: 'anyone', why: 'ends only the caller’s own session', whileChoosing: true }, 'Log out'),
    async (request, reply) => {
      await accounts.logOut(request.caller);
      clearSessionCookie(request, reply);
      return reply.code(204).send();
    },
  );

  server.get(
    '/users/current',
    call({ who: 'session', whileChoosing: true }, 'The current user', { response: { 200: z.array(userAnswer) } }),
    async (request) => [await accounts.currentUser(request.caller)],
  );

  server.post(
    '/api/v1/confirm-password',
    call({ who: 'session', whileChoosing: true }, 'Confirm the password', { body: confirmPasswordBody }),
    async (request, reply) => noContent(reply, accounts.confirmPassword(request.caller, request.body.password)),
  );
});

type LoginDeps = { logins: Pick<Logins, 'logIn'>; site: { baseDomain: string } };

/** The form of `/login` for browsers without JavaScript. */
export const loginForm = (app: LoginDeps): PlainForm => ({
  path: '/login',
  why: 'people log in here',
  handle: (post) => logIn(app, post),
});

async function logIn(
  { logins, site }: LoginDeps,
  { caller, fields, url, device: known }: FormPost,
): Promise<FormResult> {
  const typed = { email: fields['email'] ?? '', password: fields['password'] ?? '' };
  const errors: FieldErrors = {};
  if (typed.email.trim() === '') errors['email'] = [EMAIL_REQUIRED_TO_LOG_IN];
  if (typed.password === '') errors['password'] = [PASSWORD_REQUIRED_TO_LOG_IN];
  refuseFields(errors);
  const body = parseForm(loginBody, { user: typed });
  const { user, token, device } = await logins.logIn(caller, body.user, known);
  const wanted = safeRedirect(requestedPath(url.searchParams.get('redirect')), '') || null;
  return { to: destinationOf(user, { wanted, place: url, baseDomain: site.baseDomain }), token, device };
}

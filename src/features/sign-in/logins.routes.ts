import * as z from 'zod/mini';
import { userAnswer } from '#src/features/tenancy/users.contract.ts';
import { confirmPasswordBody, loginBody } from '#src/features/accounts/accounts.contract.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { Logins } from '#src/features/sign-in/logins.service.ts';
import { call, noContent, routes } from '#src/http/call.ts';
import { clearSessionCookie, DEVICE_COOKIE, setDeviceCookie, setSessionCookie } from '#src/http/cookies.ts';

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

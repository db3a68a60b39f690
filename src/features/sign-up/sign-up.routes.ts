import * as z from 'zod/mini';
import { userAnswer } from '#src/features/tenancy/users.contract.ts';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { signUpBody } from '#src/features/sign-up/sign-up.contract.ts';
import type { SignUpService } from '#src/features/sign-up/sign-up.service.ts';
import { call, routes } from '#src/http/call.ts';
import { setSessionCookie } from '#src/http/cookies.ts';

const ROUTES = [
  { url: '/signup/', mustPay: false, summary: 'Open an account' },
  { url: '/api/v1/organizations/sign_up', mustPay: true, summary: 'Open an account with a payment' },
] as const;

const EXAMPLE = {
  user: { first_name: 'Maria', last_name: 'Jensen', email: 'maria@families.example', password: 'orange-river-9' },
  affiliateInfo: { affiliateOrg: 'Hawks', affiliateName: 'hawks', domain_name: 'hawks-soccer' },
  org: { id: 1 },
  agreeToTerms: true,
  confirmAgeAndPlace: true,
};

/** `POST /signup/` and `POST /api/v1/organizations/sign_up`; both answer as a login does. */
export const signUpRoutes = routes((server, service: SignUpService, policy: PasswordPolicy) => {
  for (const { url, mustPay, summary } of ROUTES) {
    server.post(
      url,
      call(
        { who: 'anyone', why: 'new customers sign up here' },
        summary,
        { body: signUpBody(policy), response: { 200: z.array(userAnswer) } },
        mustPay ? { ...EXAMPLE, stripe_token: 'tok_1Q2w3E4r5T6y7U8i' } : { ...EXAMPLE, freeTier: true },
      ),
      async (request, reply) => {
        const { user, token } = await service.signUp(request.caller, request.body, {
          hostLabel: request.site.label,
          mustPay,
        });
        reply.header('cache-control', 'no-store');
        if (token !== null) {
          setSessionCookie(request, reply, token);
          reply.header('authorization', `Bearer ${token}`);
        }
        return [user];
      },
    );
  }
});

import * as z from 'zod/mini';
import { userAnswer } from '#src/features/tenancy/users.contract.ts';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { landingAddress } from '#src/features/accounts/accounts.rules.ts';
import { paysByCard, placed, signUpPayload, signUpValuesOf } from '#src/features/sign-up/sign-up-form.rules.ts';
import { CARD_NEEDS_SCRIPT, signUpBody, TYPE_PASSWORD_AGAIN } from '#src/features/sign-up/sign-up.contract.ts';
import type { SignUpService } from '#src/features/sign-up/sign-up.service.ts';
import { call, routes } from '#src/http/call.ts';
import { setSessionCookie } from '#src/http/cookies.ts';
import type { FormPost, FormResult, PlainForm } from '#src/http/plain-forms.ts';
import { fieldProblem, isProblem, problem, type FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

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

type SignUpDeps = { signUp: SignUpService; site: { baseDomain: string } };

/** The form of `/sign-up` for browsers without JavaScript. */
export const signUpForm = (app: SignUpDeps, policy: PasswordPolicy): PlainForm => ({
  path: '/sign-up',
  why: 'new customers sign up here',
  handle: (post) => signUp(app, policy, post),
});

/** Card numbers are never sent here, so the account is free, or a promo code pays for it. */
async function signUp(
  { signUp: service, site }: SignUpDeps,
  policy: PasswordPolicy,
  { caller, fields, url, hostLabel }: FormPost,
): Promise<FormResult> {
  const values = signUpValuesOf(fields);
  const { org: _ofHost, ...payload } = signUpPayload(values, 0, null);
  const parsed = signUpBody(policy).safeParse(payload);
  const errors = parsed.success ? {} : placed(errorsOf(parsed.error)).errors;
  if (paysByCard(values)) errors['freeTier'] = [CARD_NEEDS_SCRIPT];
  if (!parsed.success || Object.keys(errors).length > 0) throw fieldProblem(withPassword(errors));
  try {
    const { user, token } = await service.signUp(caller, parsed.data, { hostLabel, mustPay: false });
    return { to: landingAddress(user, url, site.baseDomain), ...(token === null ? {} : { token }) };
  } catch (error) {
    if (!isProblem(error) || error.details.errors === undefined) throw error;
    const found = placed(error.details.errors);
    throw problem(error.code, error.message, { ...error.details, errors: withPassword(found.errors) });
  }
}

/** The password is not sent back with the page. */
const withPassword = (errors: FieldErrors): FieldErrors => ({
  ...errors,
  password: errors['password'] ?? [TYPE_PASSWORD_AGAIN],
});

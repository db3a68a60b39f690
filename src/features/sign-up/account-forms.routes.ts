/** The forms about accounts for browsers without JavaScript: they do the same as the pages' calls. */
import {
  EMAIL_REQUIRED_TO_LOG_IN,
  loginBody,
  PASSWORD_REQUIRED_TO_LOG_IN,
} from '#src/features/accounts/accounts.contract.ts';
import { destinationOf, landingAddress, wishedPath } from '#src/features/accounts/accounts.rules.ts';
import { confirmEmailBody } from '#src/features/accounts/email-proof.contract.ts';
import type { EmailProofs } from '#src/features/accounts/email-proof.service.ts';
import type { Logins } from '#src/features/sign-in/logins.service.ts';
import {
  askForResetBody,
  choosePasswordBody,
  updatePasswordProblems,
  type PasswordPolicy,
} from '#src/features/sign-in/passwords.contract.ts';
import type { PasswordService } from '#src/features/sign-in/passwords.service.ts';
import { paysByCard, placed, signUpPayload, signUpValuesOf } from '#src/features/sign-up/sign-up-form.rules.ts';
import { CARD_NEEDS_SCRIPT, signUpBody, TYPE_PASSWORD_AGAIN } from '#src/features/sign-up/sign-up.contract.ts';
import type { SignUpService } from '#src/features/sign-up/sign-up.service.ts';
import type { FormPost, FormResult, PlainForm } from '#src/http/plain-forms.ts';
import { fieldProblem, isProblem, problem, type FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';

type Accounts = {
  logins: Pick<Logins, 'logIn' | 'deviceFor'>;
  passwords: Pick<PasswordService, 'askForReset' | 'choosePassword'>;
  signUp: SignUpService;
  emailProofs: Pick<EmailProofs, 'confirm' | 'sendAgain'>;
  site: { baseDomain: string };
};

/** `/login`, `/forgot-password`, `/update-password`, `/sign-up` and `/confirm-email`. */
export function accountForms(app: Accounts, policy: PasswordPolicy): PlainForm[] {
  return [
    { path: '/login', why: 'people log in here', handle: (post) => logIn(app, post) },
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
    { path: '/sign-up', why: 'new customers sign up here', handle: (post) => signUp(app, policy, post) },
    { path: '/confirm-email', why: 'the service asks for the session', handle: (post) => confirm(app, post) },
  ];
}

async function logIn(
  { logins, site }: Accounts,
  { caller, fields, url, device: known }: FormPost,
): Promise<FormResult> {
  const typed = { email: fields['email'] ?? '', password: fields['password'] ?? '' };
  const errors: FieldErrors = {};
  if (typed.email.trim() === '') errors['email'] = [EMAIL_REQUIRED_TO_LOG_IN];
  if (typed.password === '') errors['password'] = [PASSWORD_REQUIRED_TO_LOG_IN];
  if (Object.keys(errors).length > 0) throw fieldProblem(errors);
  const asked = loginBody.safeParse({ user: typed });
  if (!asked.success) throw fieldProblem(errorsOf(asked.error));
  const { user, token, device } = await logins.logIn(caller, asked.data.user, known);
  const wanted = safeRedirect(wishedPath(url.searchParams.get('redirect')), '') || null;
  return { to: destinationOf(user, { wanted, place: url, baseDomain: site.baseDomain }), token, device };
}

async function requestReset({ passwords }: Accounts, { caller, fields }: FormPost): Promise<FormResult> {
  const asked = askForResetBody.safeParse({ user: { email: fields['email'] ?? '' } });
  if (!asked.success) throw fieldProblem(errorsOf(asked.error));
  await passwords.askForReset(caller, asked.data.user.email);
  return { to: '/forgot-password?sent=yes' };
}

async function choose(
  { passwords, logins }: Accounts,
  policy: PasswordPolicy,
  { caller, fields, url }: FormPost,
): Promise<FormResult> {
  const password = fields['password'] ?? '';
  const messages = updatePasswordProblems(password, fields['confirm'] ?? '');
  if (messages.length > 0) throw fieldProblem({ password: messages });
  const token = url.searchParams.get('reset_password_token') ?? '';
  const asked = choosePasswordBody(policy).safeParse({ user: { password, reset_password_token: token } });
  if (!asked.success) throw fieldProblem(errorsOf(asked.error));
  const email = await passwords.choosePassword(caller, asked.data.user);
  const query = new URLSearchParams({ redirect: safeRedirect(url.searchParams.get('redirect')), updated: 'yes' });
  return { to: `/login?${query}`, device: logins.deviceFor(email) };
}

/** Card numbers are never sent here, so the account is free, or a promo code pays for it. */
async function signUp(
  { signUp: service, site }: Accounts,
  policy: PasswordPolicy,
  { caller, fields, url, hostLabel }: FormPost,
): Promise<FormResult> {
  const values = signUpValuesOf(fields);
  const { org: _ofHost, ...payload } = signUpPayload(values, 0, null);
  const asked = signUpBody(policy).safeParse(payload);
  const errors = asked.success ? {} : placed(errorsOf(asked.error)).errors;
  if (paysByCard(values)) errors['freeTier'] = [CARD_NEEDS_SCRIPT];
  if (!asked.success || Object.keys(errors).length > 0) throw fieldProblem(withPassword(errors));
  try {
    const { user, token } = await service.signUp(caller, asked.data, { hostLabel, mustPay: false });
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

async function confirm({ emailProofs }: Accounts, { caller, fields }: FormPost): Promise<FormResult> {
  if (fields['again'] !== undefined) {
    await emailProofs.sendAgain(caller);
    return { to: '/confirm-email?sent=yes' };
  }
  const asked = confirmEmailBody.safeParse({ token: fields['token'] ?? '' });
  if (!asked.success) throw problem('invalid', Object.values(errorsOf(asked.error)).flat()[0] ?? '');
  await emailProofs.confirm(caller, asked.data.token);
  return { to: '/confirm-email' };
}

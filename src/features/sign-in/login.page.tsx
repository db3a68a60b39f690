/** `/login`: email, password, and the redirect afterwards (specification P§2.4). */
import { useState, type FormEvent, type MouseEvent } from 'react';
import { redirect, useNavigate } from 'react-router';
import { EMAIL_REQUIRED_TO_LOG_IN, PASSWORD_REQUIRED_TO_LOG_IN } from '#src/features/accounts/accounts.contract.ts';
import { PASSWORD_UPDATED_LOG_IN } from '#src/features/sign-in/passwords.contract.ts';
import { destinationOf, landingPath, requestedPath } from '#src/features/accounts/accounts.rules.ts';
import { logIn } from '#src/features/accounts/log-in.client.ts';
import {
  AccountSheet,
  EmailField,
  FormStatus,
  type Outcome,
  QuietLink,
} from '#src/features/accounts/ui/account-sheet.tsx';
import { Button } from '#src/ui/button.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { safeRedirect, whereSessionsBegin, withFragment } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/login.page.ts';

type Stage = 'Login' | 'Logging In...' | 'Logged In!';

export function meta({ matches }: Route.MetaArgs) {
  const site =
    (matches[0]?.loaderData as { organization?: { name: string } } | undefined)?.organization?.name ?? 'Sideline';
  return [{ title: `Login · ${site}` }, { name: 'description', content: `Log in to run your galleries at ${site}.` }];
}

/** Signed-in users are redirected as after a login; from a link at `localhost` a login leads to the main host. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { app, caller, url, form } = context.get(requestContext);
  const mainHost = whereSessionsBegin(url, request, app.site.baseDomain);
  // A form that was refused is shown again where it was sent.
  if (mainHost !== null && form === null) throw redirect(mainHost);
  const wanted = requestedPath(url.searchParams.get('redirect'));
  if (caller.actor.kind === 'user') {
    const user = await app.accounts.currentUser(caller);
    if (user.organizations.length > 0 || user.role_id === 2) throw redirect(safeRedirect(wanted, landingPath(user)));
  }
  const problems = form ? [...Object.values(form.errors).flat(), ...form.messages] : [];
  return {
    wanted,
    baseDomain: app.site.baseDomain,
    email: form?.values['email'] ?? '',
    problems,
    isUpdated: url.searchParams.get('updated') === 'yes' && problems.length === 0,
  };
}

export default function LoginPage({ loaderData }: Route.ComponentProps) {
  const [stage, setStage] = useState<Stage>('Login');
  const [problems, setProblems] = useState<readonly string[]>(loaderData.problems);
  const navigate = useNavigate();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const user = { email: String(form.get('email') ?? ''), password: String(form.get('password') ?? '') };
    const missing = [
      ...(user.email.trim() === '' ? [EMAIL_REQUIRED_TO_LOG_IN] : []),
      ...(user.password === '' ? [PASSWORD_REQUIRED_TO_LOG_IN] : []),
    ];
    setProblems(missing);
    if (missing.length > 0) return;
    setStage('Logging In...');
    const answer = await logIn(user);
    if (!answer.ok) {
      setStage('Login');
      setProblems([answer.error]);
      return;
    }
    setStage('Logged In!');
    const wanted = withFragment(safeRedirect(loaderData.wanted, ''), window.location) || null;
    window.location.assign(
      destinationOf(answer.data, { wanted, place: window.location, baseDomain: loaderData.baseDomain }),
    );
  }

  /** The address goes along, but not into the link. */
  function takeEmailAlong(event: MouseEvent<HTMLAnchorElement>) {
    const form = event.currentTarget.closest('form');
    if (!form || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate('/forgot-password', { state: { email: String(new FormData(form).get('email') ?? '') } });
  }

  return (
    <AccountSheet
      title="Login"
      intro="For the people who run a club’s galleries. You don’t need an account to buy photos."
      footer={
        <span className="inline-flex min-h-11 items-center gap-1.5">
          No account yet? <QuietLink to="/sign-up">Sign up</QuietLink>
        </span>
      }
    >
      <form noValidate method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <FormStatus outcome={outcomeOf(problems, loaderData.isUpdated)} />
        <EmailField defaultValue={loaderData.email} />
        <PasswordField label="Password" name="password" autoComplete="current-password" />
        <Button type="submit" size="large" busy={stage === 'Login' ? false : stage}>
          Login
        </Button>
        <QuietLink to="/forgot-password" onClick={takeEmailAlong} className="self-center text-sm">
          Forgot password?
        </QuietLink>
      </form>
    </AccountSheet>
  );
}

function outcomeOf(problems: readonly string[], isUpdated: boolean): Outcome | null {
  if (problems.length > 0) return { tone: 'error', messages: problems };
  return isUpdated ? { tone: 'success', messages: [PASSWORD_UPDATED_LOG_IN] } : null;
}

/** `/update-password?reset_password_token=`: where the email's link leads (specification P§2.4, 8; threat 32). */
import { useEffect, useState, type FormEvent } from 'react';
import { data, redirect } from 'react-router';
import { PASSWORD_UPDATED, passwordHint, updatePasswordProblems } from '#src/features/sign-in/passwords.contract.ts';
import { AccountSheet, FormStatus, QuietLink, type Outcome } from '#src/features/accounts/ui/account-sheet.tsx';
import { Button } from '#src/ui/button.tsx';
import { PasswordField } from '#src/ui/password-field.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/update-password.page.ts';

/** Long enough to read that it worked (P§9). */
const REDIRECT_AFTER_MS = 500;

const SECRET_PAGE = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };

export function meta() {
  return [
    { title: 'Update password' },
    { name: 'description', content: 'Choose a new password for your Sideline account.' },
    { name: 'robots', content: 'noindex' },
    { name: 'referrer', content: 'no-referrer' },
  ];
}

export function headers() {
  return SECRET_PAGE;
}

export function loader({ context }: Route.LoaderArgs) {
  const { url, app, form } = context.get(requestContext);
  const token = url.searchParams.get('reset_password_token') ?? '';
  if (token.trim() === '') throw redirect('/forgot-password');
  const wanted = safeRedirect(url.searchParams.get('redirect'));
  const problems = form ? [...Object.values(form.errors).flat(), ...form.messages] : [];
  return data({ token, wanted, passwordMin: app.site.passwordMin, problems }, { headers: SECRET_PAGE });
}

/** Nothing here changes when the address does: the token is read once. */
export const shouldRevalidate = () => false;

export default function UpdatePasswordPage({ loaderData }: Route.ComponentProps) {
  const { token, wanted, passwordMin, problems: sent } = loaderData;
  const [outcome, setOutcome] = useState<Outcome | null>(sent.length > 0 ? { tone: 'error', messages: sent } : null);
  const [stage, setStage] = useState<'open' | 'sending' | 'done'>('open');

  // The token leaves the address bar, so that no one shares, bookmarks or photographs it.
  useEffect(() => window.history.replaceState(window.history.state, '', '/update-password'), []);

  useEffect(() => {
    if (stage !== 'done') return;
    const timer = setTimeout(
      () => window.location.assign(`/login?redirect=${encodeURIComponent(wanted)}`),
      REDIRECT_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [stage, wanted]);

  async function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get('password') ?? '');
    const problems = updatePasswordProblems(password, String(form.get('confirm') ?? ''));
    if (problems.length > 0) return setOutcome({ tone: 'error', messages: problems });
    setStage('sending');
    setOutcome(null);
    const answer = await callApi('PUT', '/password', { body: { user: { password, reset_password_token: token } } });
    setStage(answer.ok ? 'done' : 'open');
    setOutcome(
      answer.ok ? { tone: 'success', messages: [PASSWORD_UPDATED] } : { tone: 'error', messages: messagesOf(answer) },
    );
  }

  return (
    <AccountSheet
      title="Update password"
      intro="Choose a new password. All your devices will be logged out."
      footer={<QuietLink to="/forgot-password">Ask for another link</QuietLink>}
    >
      <form noValidate method="post" onSubmit={(event) => void choose(event)} className="flex flex-col gap-5">
        <FormStatus outcome={outcome} />
        <PasswordField label="Password" name="password" autoComplete="new-password" hint={passwordHint(passwordMin)} />
        <PasswordField label="Confirm" name="confirm" autoComplete="new-password" />
        <Button type="submit" size="large" busy={stage === 'sending' && 'Updating...'} disabled={stage === 'done'}>
          Update Password
        </Button>
      </form>
    </AccountSheet>
  );
}

/** `/choose-password`: anyone who signed in with a password that someone else chose takes one of their own (threat D17). */
import { useState, type FormEvent } from 'react';
import { redirect } from 'react-router';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import { PASSWORD_UPDATED, passwordHint, updatePasswordProblems } from '#src/features/sign-in/passwords.contract.ts';
import { AccountSheet, FormStatus, QuietLink, type Outcome } from '#src/features/accounts/ui/account-sheet.tsx';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { Button } from '#src/ui/button.tsx';
import { PasswordField } from '#src/ui/password-field.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { loginAddress, safeRedirect } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/choose-password.page.ts';

export function meta() {
  return [
    { title: 'Choose your password' },
    { name: 'description', content: 'Choose your own password for your Sideline account.' },
    { name: 'robots', content: 'noindex' },
  ];
}

export function loader({ context }: Route.LoaderArgs) {
  const { caller, url, app } = context.get(requestContext);
  if (caller.actor.kind !== 'user') throw redirect(loginAddress(url));
  const wanted = safeRedirect(url.searchParams.get('redirect'));
  // Nothing to choose here: the password is their own.
  if (caller.actor.mustChangePassword !== true) throw redirect(wanted);
  return { wanted, passwordMin: app.site.passwordMin };
}

/** Nothing here changes once it is shown. */
export const shouldRevalidate = () => false;

export default function ChoosePasswordPage({ loaderData: { wanted, passwordMin } }: Route.ComponentProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [stage, setStage] = useState<'open' | 'sending' | 'confirming' | 'done'>('open');
  const [password, setPassword] = useState('');
  const [confirm, setConfirm] = useState('');

  async function send(): Promise<void> {
    setStage('sending');
    setOutcome(null);
    const answer = await callApi('PUT', '/users/current/password', { body: { password } });
    if (!answer.ok && answer.error === CONFIRM_PASSWORD_FIRST) return setStage('confirming');
    setStage(answer.ok ? 'done' : 'open');
    setOutcome(
      answer.ok ? { tone: 'success', messages: [PASSWORD_UPDATED] } : { tone: 'error', messages: messagesOf(answer) },
    );
    if (answer.ok) window.location.assign(wanted);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const problems = updatePasswordProblems(password, confirm);
    if (problems.length > 0) return setOutcome({ tone: 'error', messages: problems });
    void send();
  }

  return (
    <AccountSheet
      title="Choose your password"
      intro="Your account was opened for you with a password that someone else knows. Choose one that only you know."
      footer={<QuietLink to="/logout">Log out</QuietLink>}
    >
      <form noValidate method="post" onSubmit={submit} className="flex flex-col gap-5">
        <FormStatus outcome={outcome} />
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          hint={passwordHint(passwordMin)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <PasswordField
          label="Confirm"
          name="confirm"
          autoComplete="new-password"
          value={confirm}
          onChange={(event) => setConfirm(event.target.value)}
        />
        <Button type="submit" size="large" busy={stage === 'sending' && 'Saving...'} disabled={stage === 'done'}>
          Save password
        </Button>
      </form>
      <ConfirmPassword
        open={stage === 'confirming'}
        onDone={(confirmed) => (confirmed ? void send() : setStage('open'))}
      />
    </AccountSheet>
  );
}

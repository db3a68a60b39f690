import { useState, type FormEvent } from 'react';
import { FormStatus, outcomeOf, type Outcome } from '#src/features/accounts/ui/account-sheet.tsx';
import { PASSWORD_UPDATED, passwordHint, updatePasswordProblems } from '#src/features/sign-in/passwords.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import type { ApiResult } from '#src/web/api-client.ts';

type NewPasswordFormProps = {
  label: string;
  /** Whose password it is, for password managers. */
  username?: string;
  passwordMin: number;
  button: { label: string; busy: string };
  /** Problems of a submit without JavaScript, on a page that accepts one. */
  problems?: readonly string[];
  /** Null if the person canceled. */
  send: (password: string) => Promise<ApiResult<unknown> | null>;
  /** What is said when the password is changed, if the page stays: otherwise `onDone` leads to another. */
  done?: string;
  onDone?: () => void;
};

/** A new password, typed twice. */
export function NewPasswordForm(props: NewPasswordFormProps) {
  const { label, username, passwordMin, button, problems, send, done, onDone } = props;
  const [outcome, setOutcome] = useState<Outcome | null>(
    problems?.length ? { tone: 'error', messages: problems } : null,
  );
  const [stage, setStage] = useState<'open' | 'sending' | 'done'>('open');

  async function choose(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const password = String(typed.get('password') ?? '');
    const wrong = updatePasswordProblems(password, String(typed.get('confirm') ?? ''));
    if (wrong.length > 0) return setOutcome({ tone: 'error', messages: wrong });
    setStage('sending');
    setOutcome(null);
    const answer = await send(password);
    setStage(answer?.ok && done === undefined ? 'done' : 'open');
    setOutcome(answer && outcomeOf(answer, done ?? PASSWORD_UPDATED));
    if (!answer?.ok) return;
    form.reset();
    onDone?.();
  }

  return (
    <form
      noValidate
      method={problems ? 'post' : 'dialog'}
      onSubmit={(event) => void choose(event)}
      className="flex flex-col gap-5"
    >
      <FormStatus outcome={outcome} />
      {username && <input type="text" autoComplete="username" value={username} readOnly hidden />}
      <PasswordField label={label} name="password" autoComplete="new-password" hint={passwordHint(passwordMin)} />
      <PasswordField label="Confirm" name="confirm" autoComplete="new-password" />
      <Button type="submit" size="large" busy={stage === 'sending' && button.busy} disabled={stage === 'done'}>
        {button.label}
      </Button>
    </form>
  );
}

/** `/forgot-password`: asks for the letter with the link (specification P§2.4, 8). */
import { useState, type FormEvent } from 'react';
import { RESET_MAIL_SENT } from '#src/features/accounts/passwords.contract.ts';
import { AccountSheet } from '#src/features/accounts/ui/account-sheet.tsx';
import { QuietLink } from '#src/features/accounts/ui/quiet-link.tsx';
import { Said, type Outcome } from '#src/features/accounts/ui/said.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi, fieldMessagesOf } from '#src/web/api-client.ts';

export function meta() {
  return [
    { title: 'Forgot password' },
    { name: 'description', content: 'Ask for a link to choose a new password for your Sideline account.' },
  ];
}

export default function ForgotPasswordPage() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isSending, setIsSending] = useState(false);

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email') ?? '');
    setIsSending(true);
    setOutcome(null);
    const answer = await callApi('POST', '/password', { body: { user: { email } } });
    setIsSending(false);
    setOutcome(
      answer.ok
        ? { tone: 'success', messages: [RESET_MAIL_SENT] }
        : { tone: 'error', messages: fieldMessagesOf(answer) },
    );
  }

  return (
    <AccountSheet
      title="Forgot password"
      intro="Tell us your email, and we send you a link to choose a new password."
      footer={<QuietLink to="/login">Back to the login</QuietLink>}
    >
      <form noValidate method="post" onSubmit={(event) => void ask(event)} className="flex flex-col gap-5">
        <Said outcome={outcome} />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" size="large" busy={isSending && 'Sending...'}>
          Send Password Reset Instructions
        </Button>
      </form>
    </AccountSheet>
  );
}

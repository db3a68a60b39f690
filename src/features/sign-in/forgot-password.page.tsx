/** `/forgot-password`: asks for the email with the link (specification P§2.4, 8). */
import { useState, type FormEvent } from 'react';
import { useLocation } from 'react-router';
import { RESET_MAIL_SENT } from '#src/features/sign-in/passwords.contract.ts';
import {
  AccountSheet,
  EmailField,
  FormStatus,
  type Outcome,
  QuietLink,
} from '#src/features/accounts/ui/account-sheet.tsx';
import { Button } from '#src/ui/button.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { api, type Refused } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/forgot-password.page.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { form, url } = context.get(requestContext);
  const outcome: Outcome | null = form
    ? { tone: 'error', messages: [...fieldMessages(form.errors), ...form.messages] }
    : url.searchParams.get('sent') === 'yes'
      ? { tone: 'success', messages: [RESET_MAIL_SENT] }
      : null;
  return { outcome, email: form?.values['email'] ?? '' };
}

/** Nothing here changes once it is shown. */
export const shouldRevalidate = () => false;

export function meta() {
  return [
    { title: 'Forgot password' },
    { name: 'description', content: 'Request a link to choose a new password for your Sideline account.' },
  ];
}

export default function ForgotPasswordPage({ loaderData }: Route.ComponentProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(loaderData.outcome);
  const [isSending, setIsSending] = useState(false);
  // Typed at the login.
  const typed = (useLocation().state as { email?: string } | null)?.email ?? '';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email') ?? '');
    setIsSending(true);
    setOutcome(null);
    const answer = await api('POST /password', { body: { user: { email } } });
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
      intro="Enter your email, and we’ll send you a link to choose a new password."
      footer={<QuietLink to="/login">Back to login</QuietLink>}
    >
      <form noValidate method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <FormStatus outcome={outcome} />
        <EmailField defaultValue={loaderData.email || typed} />
        <Button type="submit" size="large" busy={isSending && 'Sending...'}>
          Send Password Reset Instructions
        </Button>
      </form>
    </AccountSheet>
  );
}

/** Each problem as "field message", as the specification lists them for accounts (P§8). */
function fieldMessages(errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([field, messages]) => messages.map((message) => `${field} ${message}`));
}

/** The same of a refusal, or else its own sentence. */
function fieldMessagesOf(refused: Refused): string[] {
  const messages = fieldMessages(refused.errors);
  return messages.length > 0 ? messages : [refused.error];
}

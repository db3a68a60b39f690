/** `/confirm-email?token=`: the target of the link in the welcome email; without a token the link can be sent again (rule 53). */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { data, redirect } from 'react-router';
import { landingPath } from '#src/features/accounts/accounts.rules.ts';
import {
  CONFIRM_EMAIL,
  EMAIL_CONFIRMED,
  EMAILS_WAIT,
  linkSentTo,
  SEND_LINK_AGAIN,
} from '#src/features/accounts/email-proof.contract.ts';
import { AccountSheet, FormStatus, type Outcome, outcomeOf } from '#src/features/accounts/ui/account-sheet.tsx';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { requireUser } from '#src/web/guards.ts';
import type { Route } from './+types/confirm-email.page.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';

export function meta() {
  const description = 'Confirm the email address of your Sideline account.';
  return [...secretMeta(CONFIRM_EMAIL), { name: 'description', content: description }];
}

export const headers = () => SECRET_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url, form } = context.get(requestContext);
  requireUser(context);
  const user = await app.accounts.currentUser(caller);
  const token = url.searchParams.get('token') ?? '';
  const answer = {
    email: user.email,
    isProven: user.email_proven,
    landing: landingPath(user),
    token,
    wasSent: url.searchParams.get('sent') === 'yes',
    problems: form?.messages ?? [],
  };
  if (user.email_proven && token !== '') throw redirect('/confirm-email');
  return data(answer, { headers: SECRET_PAGE });
}

export default function ConfirmEmailPage({ loaderData }: Route.ComponentProps) {
  const { email, landing, token, wasSent, problems } = loaderData;
  const [isProven, setProven] = useState(loaderData.isProven);
  const [outcome, setOutcome] = useState<Outcome | null>(() => startOf({ email, wasSent, problems }));
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mayConfirm = token !== '' && problems.length === 0;

  // A logged-in user who followed the link has nothing more to do; the button is for browsers without JavaScript.
  useEffect(() => {
    if (mayConfirm) form.current?.requestSubmit();
  }, [mayConfirm]);

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await api('POST /api/v1/confirm-email', { body: { token } });
    setBusy(false);
    if (answer.ok) setProven(true);
    else setOutcome(outcomeOf(answer, EMAIL_CONFIRMED));
  }

  async function sendAgain(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await api('POST /api/v1/confirm-email/link', {});
    setBusy(false);
    setOutcome(outcomeOf(answer, answer.ok ? linkSentTo(answer.data.email) : ''));
  }

  if (isProven) {
    return (
      <AccountSheet title={CONFIRM_EMAIL}>
        <div className="flex flex-col gap-5">
          <FormStatus outcome={{ tone: 'success', messages: [EMAIL_CONFIRMED] }} />
          {/* A full load, because the bar above every page changes, too. */}
          <LinkButton to={landing} reloadDocument size="large">
            Continue
          </LinkButton>
        </div>
      </AccountSheet>
    );
  }
  const canConfirm = mayConfirm && outcome?.tone !== 'error';
  return (
    <AccountSheet
      title={CONFIRM_EMAIL}
      intro={canConfirm ? `Is ${email} your address?` : `Click the link that we emailed to ${email}. ${EMAILS_WAIT}`}
    >
      <div className="flex flex-col gap-5">
        <FormStatus outcome={outcome} />
        {canConfirm ? (
          <form ref={form} method="post" className="flex flex-col" onSubmit={(event) => void confirm(event)}>
            <input type="hidden" name="token" value={token} />
            <Button type="submit" size="large" busy={isBusy && 'Confirming...'}>
              Confirm my email address
            </Button>
          </form>
        ) : (
          <form
            method="post"
            action="/confirm-email"
            className="flex flex-col"
            onSubmit={(event) => void sendAgain(event)}
          >
            <input type="hidden" name="again" value="yes" />
            <Button type="submit" size="large" busy={isBusy && 'Sending...'}>
              {SEND_LINK_AGAIN}
            </Button>
          </form>
        )}
      </div>
    </AccountSheet>
  );
}

function startOf(sent: { email: string; wasSent: boolean; problems: readonly string[] }): Outcome | null {
  if (sent.problems.length > 0) return { tone: 'error', messages: sent.problems };
  return sent.wasSent ? { tone: 'success', messages: [linkSentTo(sent.email)] } : null;
}

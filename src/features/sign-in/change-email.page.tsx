/** `/change-email?token=`: the target of the link that was sent to someone's new address (rule 47). */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { data, redirect, useNavigate } from 'react-router';
import { landingPath } from '#src/features/accounts/accounts.rules.ts';
import { AccountSheet, FormStatus, type Outcome } from '#src/features/accounts/ui/account-sheet.tsx';
import { CHANGE_EMAIL, EMAIL_CHANGED, isLinkUsed } from '#src/features/sign-in/email-changes.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { requireUser } from '#src/web/guards.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';
import type { Route } from './+types/change-email.page.ts';

export const meta = () => secretMeta(CHANGE_EMAIL);

export const headers = () => SECRET_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url, form } = context.get(requestContext);
  requireUser(context);
  const landing = landingPath(await app.accounts.currentUser(caller));
  const token = url.searchParams.get('token') ?? '';
  const isDone = url.searchParams.get('done') === 'yes';
  if (token === '' && !isDone) throw redirect(landing);
  const problems = form ? [...Object.values(form.errors).flat(), ...form.messages] : [];
  return data({ token, landing, start: startOf(isDone, problems) }, { headers: SECRET_PAGE });
}

/** The result of a submit without JavaScript, or of one before the page was reloaded. */
function startOf(isDone: boolean, problems: readonly string[]): Outcome | null {
  if (problems.length > 0) return { tone: problems.every(isLinkUsed) ? 'success' : 'error', messages: problems };
  return isDone ? { tone: 'success', messages: [EMAIL_CHANGED] } : null;
}

/** The token is read once. */
export const shouldRevalidate = () => false;

export default function ChangeEmailPage({ loaderData: { token, landing, start } }: Route.ComponentProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(start);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();

  // Who followed the link logged in has nothing more to do.
  useEffect(() => form.current?.requestSubmit(), []);

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await api('POST /api/v1/change-email/confirm', { body: { token } });
    setBusy(false);
    setOutcome(answer.ok ? startOf(true, []) : startOf(false, messagesOf(answer)));
    // The link works once: a phone that loads the page again later must not call it expired.
    if (answer.ok) void navigate('?done=yes', { replace: true });
  }

  return (
    <AccountSheet title={CHANGE_EMAIL}>
      <div className="flex flex-col gap-5">
        <FormStatus outcome={outcome} />
        {outcome === null ? (
          <form ref={form} method="post" className="flex flex-col" onSubmit={(event) => void confirm(event)}>
            <input type="hidden" name="token" value={token} />
            <Button type="submit" size="large" busy={isBusy && 'Changing...'}>
              Use the new address
            </Button>
          </form>
        ) : (
          <LinkButton to={outcome.tone === 'error' ? '/users/me' : landing} reloadDocument size="large">
            {outcome.tone === 'error' ? 'Your account' : 'Continue'}
          </LinkButton>
        )}
      </div>
    </AccountSheet>
  );
}

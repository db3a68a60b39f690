/** `/login`: e-mail, password, and where to go from there (specification P§2.4). */
import { useState, type FormEvent } from 'react';
import { redirect } from 'react-router';
import {
  EMAIL_REQUIRED_TO_LOG_IN,
  NO_ORGANIZATION_YET,
  PASSWORD_REQUIRED_TO_LOG_IN,
  type UserAnswer,
} from '#src/features/accounts/accounts.contract.ts';
import { landingHostLabel, landingPath } from '#src/features/accounts/accounts.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Main } from '#src/ui/main.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/login.page.ts';

type Stage = 'Login' | 'Logging In...' | 'Logged In!';

export function meta({ matches }: Route.MetaArgs) {
  const site =
    (matches[0]?.loaderData as { organization?: { name: string } } | undefined)?.organization?.name ?? 'Sideline';
  return [{ title: `Log in · ${site}` }];
}

/** Somebody who is signed in already goes where a login would have led. */
export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const wanted = url.searchParams.get('redirect');
  if (caller.actor.kind === 'user') {
    const user = await app.accounts.currentUser(caller);
    if (user.organizations.length > 0 || user.role_id === 2) throw redirect(safeRedirect(wanted, landingPath(user)));
  }
  return { wanted, baseDomain: app.site.baseDomain, cards: app.site.cards };
}

export default function LoginPage({ loaderData }: Route.ComponentProps) {
  const [stage, setStage] = useState<Stage>('Login');
  const [problems, setProblems] = useState<string[]>([]);
  const [attempt, setAttempt] = useState(0);

  async function logIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const user = { email: String(form.get('email') ?? ''), password: String(form.get('password') ?? '') };
    setAttempt((count) => count + 1);
    const missing = [
      ...(user.email.trim() === '' ? [EMAIL_REQUIRED_TO_LOG_IN] : []),
      ...(user.password === '' ? [PASSWORD_REQUIRED_TO_LOG_IN] : []),
    ];
    setProblems(missing);
    if (missing.length > 0) return;
    setStage('Logging In...');
    const answer = await callApi<UserAnswer[]>('POST', '/login', { body: { user } });
    if (!answer.ok) {
      setStage('Login');
      setProblems([answer.error]);
      return;
    }
    setStage('Logged In!');
    const [signedIn] = answer.data;
    if (signedIn) window.location.assign(destination(signedIn, loaderData.wanted, loaderData.baseDomain));
  }

  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <Card className="w-full max-w-md p-6 sm:p-8">
        <h1 className="text-xl">Log in</h1>
        <p className="mt-1 text-sm text-quiet">
          For the people who run a club’s galleries. Buying photos needs no account.
        </p>
        <form noValidate method="post" onSubmit={logIn} className="mt-6 flex flex-col gap-5">
          <ErrorList messages={problems} attempt={attempt} heading="You are not logged in yet." />
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField label="Password" name="password" type="password" autoComplete="current-password" />
          <Button type="submit" size="large" busy={stage === 'Login' ? false : stage}>
            Login
          </Button>
        </form>
      </Card>
    </Main>
  );
}

/** A page that was wanted wins; then the first organisation's own host, if this browser can reach hosts of the base domain. */
function destination(user: UserAnswer, wanted: string | null, baseDomain: string): string {
  const path = landingPath(user);
  if (user.organizations.length === 0 && user.role_id !== 2)
    return `/?notice=${encodeURIComponent(NO_ORGANIZATION_YET)}`;
  const chosen = safeRedirect(wanted, path);
  const { hostname, protocol, port } = window.location;
  const label = landingHostLabel(user);
  const isBelowBase = hostname === baseDomain || hostname.endsWith(`.${baseDomain}`);
  if (chosen !== path || label === null || !isBelowBase) return chosen;
  return `${protocol}//${label}.${baseDomain}${port === '' ? '' : `:${port}`}${path}`;
}

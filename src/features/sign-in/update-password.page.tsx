/** `/update-password?reset_password_token=`: the target of the email's link (specification P§2.4, 8; threat 32). */
import { useEffect, useState } from 'react';
import { data, redirect } from 'react-router';
import { AccountSheet, QuietLink } from '#src/features/accounts/ui/account-sheet.tsx';
import { NewPasswordForm } from '#src/features/sign-in/ui/new-password-form.tsx';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/update-password.page.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';

/** Long enough to read the confirmation (P§9). */
const REDIRECT_AFTER_MS = 500;

export function meta() {
  const description = 'Choose a new password for your Sideline account.';
  return [...secretMeta('Update password'), { name: 'description', content: description }];
}

export const headers = () => SECRET_PAGE;

export function loader({ context }: Route.LoaderArgs) {
  const { url, app, form } = context.get(requestContext);
  const token = url.searchParams.get('reset_password_token') ?? '';
  if (token.trim() === '') throw redirect('/forgot-password');
  const wanted = safeRedirect(url.searchParams.get('redirect'));
  const problems = form ? [...Object.values(form.errors).flat(), ...form.messages] : [];
  return data({ token, wanted, passwordMin: app.site.passwordMin, problems }, { headers: SECRET_PAGE });
}

/** Nothing here changes with the address: the token is read once. */
export const shouldRevalidate = () => false;

export default function UpdatePasswordPage({ loaderData }: Route.ComponentProps) {
  const { token, wanted, passwordMin, problems } = loaderData;
  const [isDone, setDone] = useState(false);

  // Removes the token from the address bar, so that no one shares, bookmarks or photographs it.
  useEffect(() => window.history.replaceState(window.history.state, '', '/update-password'), []);

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(
      () => window.location.assign(`/login?redirect=${encodeURIComponent(wanted)}&updated=yes`),
      REDIRECT_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [isDone, wanted]);

  return (
    <AccountSheet
      title="Update password"
      intro="Choose a new password. All your devices will be logged out."
      footer={<QuietLink to="/forgot-password">Request another link</QuietLink>}
    >
      <NewPasswordForm
        label="Password"
        passwordMin={passwordMin}
        button={{ label: 'Update Password', busy: 'Updating...' }}
        problems={problems}
        send={(password) => api('PUT /password', { body: { user: { password, reset_password_token: token } } })}
        onDone={() => setDone(true)}
      />
    </AccountSheet>
  );
}

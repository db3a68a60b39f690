/** `/choose-password`: users who signed in with a password that someone else chose set their own (threat D17). */
import { redirect } from 'react-router';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { AccountSheet, QuietLink } from '#src/features/accounts/ui/account-sheet.tsx';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { NewPasswordForm } from '#src/features/sign-in/ui/new-password-form.tsx';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { loginAddress, safeRedirect, withFragment } from '#src/web/safe-redirect.ts';
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
  // The password is already their own.
  if (caller.actor.mustChangePassword !== true) throw redirect(wanted);
  return { wanted, passwordMin: app.site.passwordMin };
}

/** Nothing here changes once it is shown. */
export const shouldRevalidate = () => false;

export default function ChoosePasswordPage({ loaderData: { wanted, passwordMin } }: Route.ComponentProps) {
  const stepUp = useStepUp();
  return (
    <AccountSheet
      title="Choose your password"
      intro="Your account was created for you with a password that someone else knows. Choose one that only you know."
      footer={<QuietLink to="/logout">Log out</QuietLink>}
    >
      <NewPasswordForm
        label="New password"
        passwordMin={passwordMin}
        button={{ label: 'Save password', busy: 'Saving...' }}
        send={(password) => stepUp.send(() => api('PUT /users/current/password', { body: { password } }))}
        onDone={() => window.location.assign(withFragment(wanted, window.location))}
      />
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </AccountSheet>
  );
}

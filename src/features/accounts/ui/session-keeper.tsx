import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { PASSWORD_REQUIRED_TO_LOG_IN, SESSION_HAS_ENDED } from '#src/features/accounts/accounts.contract.ts';
import { LOGOUTS, remember } from '#src/features/accounts/auth-state.client.ts';
import { logIn } from '#src/features/accounts/log-in.client.ts';
import { createSessionKeeper } from '#src/features/accounts/session-keeper.client.ts';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { useForm } from '#src/web/use-form.ts';

/**
 * Lets the viewer log in again on the same page when the session has ended: what was typed stays, and the calls that were
 * refused are sent again. A login in another window counts, too. After "Log Out" in another window the page is loaded again,
 * whatever was typed: someone else may use this device next. Loaded with the pages of viewers only.
 */
export function SessionKeeper({ viewer }: { viewer: UserAnswer }) {
  const [isAsking, setAsking] = useState(false);
  const [keeper] = useState(() => createSessionKeeper(viewer.id, setAsking));
  useEffect(() => keeper.start(), [keeper]);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const logouts = new BroadcastChannel(LOGOUTS);
    logouts.addEventListener('message', () => void revalidate());
    return () => logouts.close();
  }, [revalidate]);
  return isAsking ? <LoginDialog viewer={viewer} onDone={keeper.close} /> : null;
}

type LoginDialogProps = {
  viewer: UserAnswer;
  /** False if the person canceled. */
  onDone: (isBack: boolean) => void;
};

function LoginDialog({ viewer, onDone }: LoginDialogProps) {
  const form = useForm({ password: '' }, ({ password }) =>
    password === '' ? { password: [PASSWORD_REQUIRED_TO_LOG_IN] } : {},
  );

  async function submit(): Promise<void> {
    const answer = await form.send(({ password }) => logIn({ email: viewer.email, password }));
    if (!answer) return;
    // The address may have become someone else's.
    if (answer.data.id !== viewer.id) return window.location.reload();
    remember(answer.data);
    onDone(true);
  }

  return (
    <FormDialog
      role="alertdialog"
      title={SESSION_HAS_ENDED}
      action={{ label: 'Login', busy: 'Logging In...' }}
      isSending={form.isSending}
      onSubmit={() => void submit()}
      onClose={() => onDone(false)}
    >
      <p className="text-quiet">
        Log in again as <strong className="font-semibold break-words text-ink">{viewer.email}</strong> to continue. What
        you typed stays on this page.
      </p>
      <input type="text" autoComplete="username" value={viewer.email} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus=""
        {...form.field('password')}
        errors={Object.values(form.errors).flat()}
      />
      {/* In another window: this page stays, and notices a login there. */}
      <a
        href="/forgot-password"
        target="_blank"
        className="inline-flex min-h-11 items-center self-start text-sm font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
      >
        Forgot password?
      </a>
    </FormDialog>
  );
}

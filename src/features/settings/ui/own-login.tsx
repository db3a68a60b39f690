import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import * as words from '#src/features/sign-in/deletion-requests.contract.ts';
import { CHANGE_EMAIL, changeLinkSent } from '#src/features/sign-in/email-changes.contract.ts';
import { PASSWORD_CHANGED } from '#src/features/sign-in/passwords.contract.ts';
import { NewPasswordForm } from '#src/features/sign-in/ui/new-password-form.tsx';
import { Button } from '#src/ui/button.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api } from '#src/web/api-client.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { useForm } from '#src/web/use-form.ts';

/** The address with which the viewer logs in, and how it is changed: by a link to the new one. */
export function OwnEmail({ email }: { email: string }) {
  const [isAsking, setAsking] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <SettingsSection id="email" title="Email address" hint="You log in with it, and we send our emails to it.">
      <p className="font-semibold break-words">{email}</p>
      <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
        {CHANGE_EMAIL}
      </Button>
      <p role="status" className="text-sm break-words empty:hidden">
        {sentTo !== null && changeLinkSent(sentTo)}
      </p>
      {isAsking && (
        <NewAddress
          onClose={() => setAsking(false)}
          onSent={(to) => {
            setAsking(false);
            setSentTo(to);
          }}
        />
      )}
    </SettingsSection>
  );
}

type OwnPasswordProps = {
  /** For password managers, which store it with the password. */
  email: string;
  passwordMin: number;
};

export function OwnPassword({ email, passwordMin }: OwnPasswordProps) {
  const stepUp = useStepUp();
  return (
    <SettingsSection id="password" title="Password" hint="Your other devices are logged out when you change it.">
      <div className="max-w-md">
        <NewPasswordForm
          label="New password"
          username={email}
          passwordMin={passwordMin}
          button={{ label: 'Change password', busy: 'Changing...' }}
          send={(password) => stepUp.send(() => api('PUT /users/current/password', { body: { password } }))}
          done={PASSWORD_CHANGED}
        />
      </div>
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </SettingsSection>
  );
}

/** Asks for the deletion of the viewer's account, and withdraws that. `askedAt`: null without an open request. */
export function OwnDeletion({ askedAt }: { askedAt: Date | null }) {
  const [isAsking, setAsking] = useState(false);
  // Not a toast: on a phone it would cover the button, which is at the end of the page.
  const [news, setNews] = useState('');
  const stepUp = useStepUp();
  const { revalidate } = useRevalidator();
  const withdrawal = useForm({});
  const isOpen = askedAt !== null;

  async function withdraw(): Promise<void> {
    if (!(await withdrawal.send(() => api('DELETE /api/v1/deletion-request', {})))) return;
    setNews(words.ACCOUNT_STAYS);
    await revalidate();
  }

  return (
    <SettingsSection id="delete" title={words.DELETE_ACCOUNT} hint={words.WHAT_IS_ERASED}>
      <p role="status" className="font-semibold empty:hidden">
        {news}
      </p>
      {isOpen && (
        <p>
          On <DateText at={askedAt} /> you asked us to delete your account. {words.WHAT_COMES_NEXT}
        </p>
      )}
      {/* One button, so that it keeps the focus. */}
      <Button
        variant={isOpen ? 'secondary' : 'danger'}
        className="self-start"
        busy={withdrawal.isSending && 'Saving...'}
        onClick={isOpen ? withdraw : () => setAsking(true)}
      >
        {isOpen ? 'Keep my account' : 'Delete account…'}
      </Button>
      <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
        {withdrawal.errors['form']?.join(' ')}
      </p>
      {isAsking && (
        <ConfirmCall
          open={!stepUp.needsPassword}
          title="Delete your account?"
          confirmLabel="Ask for deletion"
          busy="Asking..."
          call={() => stepUp.send(() => api('POST /api/v1/deletion-request', {}))}
          onDone={() => {
            setAsking(false);
            setNews(words.DELETION_ASKED);
            void revalidate();
          }}
          onCancel={() => setAsking(false)}
        >
          {words.WHAT_COMES_NEXT}
        </ConfirmCall>
      )}
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </SettingsSection>
  );
}

function NewAddress({ onClose, onSent }: { onClose: () => void; onSent: (email: string) => void }) {
  const form = useForm({ email: '' });
  const stepUp = useStepUp();

  async function send(): Promise<void> {
    const email = form.values.email.trim();
    if (await form.send((body) => stepUp.send(() => api('POST /api/v1/change-email', { body })))) onSent(email);
  }

  return (
    <>
      <FormDialog
        title={CHANGE_EMAIL}
        action={{ label: 'Send the link', busy: 'Sending...' }}
        isSending={form.isSending}
        onSubmit={() => void send()}
        onClose={onClose}
        problem={form.errors['form']}
      >
        <TextField
          label="New email address"
          type="email"
          autoComplete="email"
          spellCheck={false}
          maxLength={254}
          hint="We’ll email a link to it. Nothing changes until you open it."
          {...form.field('email')}
        />
      </FormDialog>
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </>
  );
}

import { useId, useState, type FormEvent } from 'react';
import { callApi } from '#src/web/api-client.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { PasswordField } from '#src/ui/password-field.tsx';

type ConfirmPasswordProps = {
  open: boolean;
  /** True after the right password; false when the person thought better of it. */
  onDone: (confirmed: boolean) => void;
};

/** Asks for the password once more, before something that a stranger at an open computer must not do (rule 47). */
export function ConfirmPassword({ open, onDone }: ConfirmPasswordProps) {
  return open ? <Asking onDone={onDone} /> : null;
}

function Asking({ onDone }: Pick<ConfirmPasswordProps, 'onDone'>) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useId();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await callApi('POST', '/api/v1/confirm-password', { body: { password } });
    setBusy(false);
    if (answer.ok) return onDone(true);
    setProblem(answer.error);
  }

  return (
    <Dialog
      open
      title="Please confirm your password."
      onClose={() => onDone(false)}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={() => onDone(false)}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={busy ? 'Confirming...' : false}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField
          label="Your present password"
          autoComplete="current-password"
          data-autofocus=""
          value={password}
          errors={problem === null ? [] : [problem]}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

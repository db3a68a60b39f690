import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';

type ConfirmPasswordProps = {
  open: boolean;
  /** True after the right password; false if the person canceled. */
  onDone: (confirmed: boolean) => void;
};

/** Asks for the password again before an action that someone else at an unlocked computer must not do (rule 47). */
export function ConfirmPassword({ open, onDone }: ConfirmPasswordProps) {
  return open ? <PasswordDialog onDone={onDone} /> : null;
}

function PasswordDialog({ onDone }: Pick<ConfirmPasswordProps, 'onDone'>) {
  const form = useForm({ password: '' });

  async function submit(): Promise<void> {
    if (await form.send((body) => api('POST /api/v1/confirm-password', { body }))) onDone(true);
  }

  return (
    <FormDialog
      title="Please confirm your password."
      action={{ label: 'Confirm', busy: 'Confirming...' }}
      isSending={form.isSending}
      onSubmit={() => void submit()}
      onClose={() => onDone(false)}
    >
      <PasswordField
        label="Your current password"
        autoComplete="current-password"
        data-autofocus=""
        {...form.field('password')}
        errors={Object.values(form.errors).flat()}
      />
    </FormDialog>
  );
}

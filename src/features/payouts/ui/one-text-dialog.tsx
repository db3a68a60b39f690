import { useRef, type ReactNode } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { FormDialog } from '#src/ui/form-dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import type { ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type OneTextDialogProps<T> = {
  title: string;
  /** What the action does, below what it is done to. */
  sentence: string;
  /** `name` as the call knows it: its problems are below the field. */
  field: { name: string; label: string; hint: string; maxLength: number };
  action: { label: string; busy: string; variant: 'primary' | 'danger' };
  send: (text: string) => Promise<ApiResult<T>>;
  onClose: () => void;
  onDone: (answer: T) => void;
  /** What it is done to, in one line. */
  children: ReactNode;
};

/** Asks for the one text without which a action of the office is not done, and for the password where it was typed long ago. */
export function OneTextDialog<T>({
  title,
  sentence,
  field,
  action,
  send,
  onClose,
  onDone,
  children,
}: OneTextDialogProps<T>) {
  const stepUp = useStepUp();
  const form = useForm<Record<string, string>>({ [field.name]: '' });
  const input = useRef<HTMLInputElement>(null);
  const { [field.name]: own = [], ...others } = form.errors;

  async function submit(): Promise<void> {
    const answer = await form.send((values) => stepUp.send(() => send(values[field.name] ?? '')));
    if (answer) return onDone(answer.data);
    // The button that had the focus rested while it was sent.
    input.current?.focus();
  }

  return (
    <>
      <FormDialog
        role="alertdialog"
        title={title}
        action={action}
        isSending={form.isSending}
        problem={own.length > 0 ? [] : Object.values(others).flat()}
        onSubmit={() => void submit()}
        onClose={onClose}
      >
        <div>
          <p>{children}</p>
          <p className="mt-1 text-quiet">{sentence}</p>
        </div>
        <TextField
          ref={input}
          label={field.label}
          hint={field.hint}
          required
          maxLength={field.maxLength}
          data-autofocus=""
          autoComplete="off"
          {...form.field(field.name)}
        />
      </FormDialog>
      <ConfirmPassword open={stepUp.asks} onDone={stepUp.onDone} />
    </>
  );
}

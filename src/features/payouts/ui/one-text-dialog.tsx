import { useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import type { ApiResult } from '#src/web/api-client.ts';

type OneTextDialogProps<T> = {
  /** Of the form; one on the page. */
  id: string;
  title: string;
  /** What the deed does, below what it is done to. */
  sentence: string;
  /** `name` as the call knows it: its problems stand below the field. */
  field: { name: string; label: string; hint: string; maxLength: number };
  action: { label: string; busy: string; variant: 'primary' | 'danger' };
  send: (text: string) => Promise<ApiResult<T>>;
  onClose: () => void;
  onDone: (answer: T) => void;
  /** What it is done to, in one line. */
  children: ReactNode;
};

/** Asks for the one text without which a deed of the office is not done, and for the password where it was typed long ago. */
export function OneTextDialog<T>(props: OneTextDialogProps<T>) {
  const { id, title, sentence, field, action, send, onClose, onDone, children } = props;
  const stepUp = useStepUp();
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setErrors([]);
    setProblem(null);
    const answer = await stepUp.send(() => send(text));
    setSending(false);
    if (!answer) return;
    if (answer.ok) return onDone(answer.data);
    const own = answer.errors[field.name] ?? [];
    flushSync(() => setErrors(own));
    // The button that had the focus rested while it was sent.
    document.getElementById(id)?.querySelector('input')?.focus();
    setProblem(own.length === 0 ? answer.error : null);
  }

  return (
    <>
      <Dialog
        open
        role="alertdialog"
        title={title}
        onClose={() => !isSending && onClose()}
        footer={
          <>
            <Button variant="secondary" disabled={isSending} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={id} variant={action.variant} busy={isSending && action.busy}>
              {action.label}
            </Button>
          </>
        }
      >
        <p>{children}</p>
        <p className="mt-1 text-quiet">{sentence}</p>
        <form id={id} noValidate className="mt-4" onSubmit={(event) => void submit(event)}>
          <TextField
            label={field.label}
            hint={field.hint}
            required
            maxLength={field.maxLength}
            data-autofocus=""
            autoComplete="off"
            value={text}
            errors={errors}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
        <p role="alert" className="mt-3 text-sm font-semibold text-danger empty:hidden">
          {problem}
        </p>
      </Dialog>
      <ConfirmPassword open={stepUp.asks} onDone={stepUp.onDone} />
    </>
  );
}

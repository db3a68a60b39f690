import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { useFocusNearby } from '#src/ui/use-focus-nearby.ts';

type ConfirmDialogProps = {
  open: boolean;
  /** The short question ("Remove Photo?"). */
  title: string;
  /** The specification's sentence, and the name of the object. */
  children: ReactNode;
  /** A verb ("Delete gallery"). */
  confirmLabel: string;
  cancelLabel?: string;
  /** Text while it is in progress, false before. */
  busy?: string | false;
  /** The error of the last attempt. */
  problem?: string | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something that cannot be undone. The safe answer has the focus. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  busy = false,
  problem = null,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      role="alertdialog"
      title={title}
      onClose={() => busy === false && onCancel()}
      footer={
        <>
          <Button variant="secondary" autoFocus onClick={onCancel} disabled={busy !== false}>
            {cancelLabel}
          </Button>
          <Button variant="danger" onClick={onConfirm} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-quiet">{children}</div>
      {problem !== null && (
        <p role="alert" className="mt-3 text-sm font-semibold text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

type FormDialogProps = {
  title: string;
  role?: 'dialog' | 'alertdialog';
  /** The label of the submit button, and its label meanwhile. */
  action: { label: string; busy: string; variant?: 'primary' | 'danger' };
  isSending: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** Errors that belong to no field, shown below the fields. */
  problem?: readonly string[] | undefined;
  children: ReactNode;
};

/** A form in a dialog. It stays open while it is being sent. */
export function FormDialog(props: FormDialogProps) {
  const { title, role = 'dialog', action, isSending, onSubmit, onClose, problem = [], children } = props;
  const id = useId();
  const { form, noteSubmit } = useFocusOnProblem(isSending);
  useFocusNearby();
  return (
    <Dialog
      open
      role={role}
      title={title}
      onClose={() => !isSending && onClose()}
      footer={
        <>
          <Button variant="secondary" disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant={action.variant ?? 'primary'} busy={isSending && action.busy}>
            {action.label}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        method="dialog"
        id={id}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          noteSubmit();
          onSubmit();
        }}
      >
        {children}
        <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
          {problem.join(' ')}
        </p>
      </form>
    </Dialog>
  );
}

/** Its button is always in sight, its fields are not: after a try the first wrong one gets the focus, or the problem is shown. */
function useFocusOnProblem(isSending: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const wasSubmitted = useRef(false);
  useEffect(() => {
    if (!wasSubmitted.current || isSending) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const problem = wrong ?? form.current?.querySelector<HTMLElement>(':scope > [role="alert"]:not(:empty)');
    if (!problem) return;
    wasSubmitted.current = false;
    if (wrong) wrong.focus();
    else problem.scrollIntoView({ block: 'nearest' });
  });
  return { form, noteSubmit: () => void (wasSubmitted.current = true) };
}

import { useId, type ReactNode } from 'react';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

type FormDialogProps = {
  title: string;
  role?: 'dialog' | 'alertdialog';
  /** What the button says that sends the form, and what it says meanwhile. */
  action: { label: string; busy: string; variant?: 'primary' | 'danger' };
  isSending: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** What is wrong with no field in particular, said below them. */
  problem?: readonly string[] | undefined;
  children: ReactNode;
};

/** A form in a dialog. It stays open while it is being sent. */
export function FormDialog(props: FormDialogProps) {
  const { title, role = 'dialog', action, isSending, onSubmit, onClose, problem = [], children } = props;
  const id = useId();
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
        id={id}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
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

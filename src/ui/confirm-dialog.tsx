import type { ReactNode } from 'react';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

type ConfirmDialogProps = {
  open: boolean;
  /** The short question ("Remove Photo?"). */
  title: string;
  /** The specification's sentence, and the name of the thing. */
  children: ReactNode;
  /** A verb ("Delete gallery"). */
  confirmLabel: string;
  cancelLabel?: string;
  /** Text while it is being done, false before. */
  busy?: string | false;
  /** What went wrong the last time. */
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

import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

type SecretDialogProps = { title: string; secret: string; hint: string; onClose: () => void };

/** Shows a secret once; it can be closed only with its button, because it is not shown again. */
export function SecretDialog({ title, secret, hint, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open
      role="alertdialog"
      title={title}
      onClose={() => undefined}
      footer={<Button onClick={onClose}>I saved it</Button>}
    >
      <div className="flex flex-col gap-4">
        <p className="text-quiet">
          Your receiver checks each message with this secret. Copy it now: we don’t show it again.
        </p>
        <p className="rounded bg-sunken p-3 text-sm break-all select-all">
          <code>{secret}</code>
        </p>
        <Button
          variant="secondary"
          size="small"
          className="self-start"
          onClick={() => void copyText(secret, 'Secret copied')}
        >
          Copy secret
        </Button>
        <p className="text-sm text-quiet">{hint}</p>
      </div>
    </Dialog>
  );
}

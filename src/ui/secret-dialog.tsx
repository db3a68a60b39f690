import { useState, type ReactNode } from 'react';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

type SecretDialogProps = {
  title: string;
  name: 'Secret' | 'Token';
  secret: string;
  /** What it is for. */
  children: ReactNode;
  /** What to do next. */
  hint?: string;
  onClose: () => void;
};

/** Shows a secret once; it can be closed only with its button, because it is not shown again. */
export function SecretDialog({ title, name, secret, children, hint, onClose }: SecretDialogProps) {
  const word = name.toLowerCase();
  // Not a toast: the dialog covers those on phones, and screen readers do not announce what is outside it.
  const [copied, setCopied] = useState('');

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(`${name} copied`);
    } catch {
      setCopied(`Copying failed. Please select the ${word} and copy it.`);
    }
  }

  return (
    <Dialog
      open
      role="alertdialog"
      title={title}
      onClose={() => undefined}
      footer={<Button onClick={onClose}>I saved it</Button>}
    >
      <div className="flex flex-col gap-4">
        <p className="text-quiet">{children} Copy it now: we won’t show it again.</p>
        <p className="rounded bg-sunken p-3 text-sm break-all select-all">
          <code>{secret}</code>
        </p>
        <Button variant="secondary" size="small" className="self-start" onClick={() => void copy()}>
          Copy {word}
        </Button>
        <p role="status" className="text-sm font-semibold empty:hidden">
          {copied}
        </p>
        {hint && <p className="text-sm text-quiet">{hint}</p>}
      </div>
    </Dialog>
  );
}

import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { Button } from '#src/ui/button.tsx';
import { Link2 } from '#src/ui/icon.tsx';

/** Puts a text on the clipboard, and says whether it worked. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  return (
    <Button variant="secondary" size="small" className="self-start" onClick={() => void copyText(text)}>
      <Link2 aria-hidden="true" />
      {children}
    </Button>
  );
}

import { useState, type ComponentProps } from 'react';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { useFocusNearby } from '#src/ui/use-focus-nearby.ts';
import { messagesOf, type ApiResult, type Refused } from '#src/web/api-client.ts';

type Question = Omit<ComponentProps<typeof ConfirmDialog>, 'open' | 'busy' | 'problem' | 'onConfirm'>;
type ConfirmCallProps<Answer> = Question & {
  open?: boolean;
  /** The text of the button meanwhile ("Deleting..."). */
  busy: string;
  /** Null if it was canceled. */
  call: () => Promise<ApiResult<Answer> | null>;
  onDone: (answer: Answer) => void;
  onRefused?: (refused: Refused) => void;
};

/** Asks before a call that cannot be undone, sends it once, and says why if it was refused. Rendered while it asks. */
export function ConfirmCall<Answer>({
  open = true,
  busy,
  call,
  onDone,
  onRefused,
  ...question
}: ConfirmCallProps<Answer>) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useFocusNearby();

  async function confirm(): Promise<void> {
    setBusy(true);
    setProblem(null);
    const answer = await call();
    setBusy(false);
    if (answer?.ok) return onDone(answer.data);
    if (!answer) return;
    setProblem(messagesOf(answer).join(' '));
    onRefused?.(answer);
  }

  return (
    <ConfirmDialog {...question} open={open} busy={isBusy && busy} problem={problem} onConfirm={() => void confirm()} />
  );
}

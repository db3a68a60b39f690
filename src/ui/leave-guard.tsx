import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';

const LEAVE_TITLE = 'Leave without saving?';

/** Asks before someone leaves unsaved settings; for another site or a closed window the browser asks. */
export function LeaveGuard({
  isUnsaved,
  question,
}: {
  isUnsaved: () => boolean;
  /** What is not saved. */
  question: string;
}) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isUnsaved(),
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={LEAVE_TITLE}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {question}
    </ConfirmDialog>
  );
}

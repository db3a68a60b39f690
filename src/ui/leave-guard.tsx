import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Button } from '#src/ui/button.tsx';
import { useFocusAfter } from '#src/ui/use-focus-after.ts';

const LEAVE_TITLE = 'Leave without saving?';

type LeaveGuardProps = {
  isUnsaved: () => boolean;
  /** What is not saved. */
  question: string;
};

/** The questions of the guards on this page. */
const guards = new Set<() => boolean>();
const openDialogs = () => document.querySelectorAll<HTMLDialogElement>('dialog[open]');

/** Whether this page would lose something typed: of a form with a guard, or in a dialog. */
export function hasUnsaved(): boolean {
  return (
    [...guards].some((isUnsaved) => isUnsaved()) ||
    [...openDialogs()].some((dialog) => dialog.querySelector('form') !== null)
  );
}

/**
 * Asks before someone leaves unsaved settings; for another site or a closed window the browser asks. Back closes a
 * dialog that is open above them.
 */
export function LeaveGuard({ isUnsaved, question }: LeaveGuardProps) {
  const [dialog, setDialog] = useState<HTMLDialogElement>();
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (currentLocation.pathname === nextLocation.pathname || !isUnsaved()) return false;
    setDialog(historyAction === 'POP' ? [...openDialogs()].at(-1) : undefined);
    return true;
  });
  useEffect(() => {
    guards.add(isUnsaved);
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      guards.delete(isUnsaved);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
  useEffect(() => {
    if (blocker.state !== 'blocked' || !dialog) return;
    blocker.reset();
    // As Escape does.
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  }, [blocker, dialog]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked' && !dialog}
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

type StickySaveBarProps = {
  /** True as soon as something in the form differs from what is saved. */
  changed: boolean;
  /** Text while saving, false otherwise. */
  busy?: string | false;
  saveLabel?: string;
  /** Reverts to what is saved. */
  onDiscard?: () => void;
  children?: ReactNode;
};

/** Appears at the bottom of a form when something changed. Its button submits the form around it. */
export function StickySaveBar({ changed, ...bar }: StickySaveBarProps) {
  return changed || (bar.busy ?? false) !== false ? <SaveBar {...bar} /> : null;
}

function SaveBar({
  busy = false,
  saveLabel = 'Save',
  onDiscard,
  children = 'You have unsaved changes.',
}: Omit<StickySaveBarProps, 'changed'>) {
  const before = useRef<Element | null>(null);
  // The field that had the focus before, but not where that opens a keyboard.
  const field = useCallback(
    () => (before.current instanceof HTMLElement && matchMedia('(pointer: fine)').matches ? before.current : null),
    [],
  );
  const bar = useFocusAfter(field);
  return (
    <div
      ref={bar}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
      }}
      className="sticky-bar sticky bottom-[var(--save-bar-bottom,0px)] z-20 -mx-5 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-5 py-3 max-md:bottom-[calc(3.5rem+var(--tray-height,0px))]"
    >
      <p role="status" className="text-sm text-quiet">
        {children}
      </p>
      <div className="ml-auto flex gap-3">
        {onDiscard && (
          <Button variant="quiet" onClick={onDiscard} disabled={busy !== false}>
            Discard
          </Button>
        )}
        <Button type="submit" busy={busy}>
          {saveLabel}
        </Button>
      </div>
    </div>
  );
}

import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { X } from '#src/ui/icon.tsx';

type DialogProps = {
  open: boolean;
  /** Called on Escape, the close button, or a click outside. */
  onClose: () => void;
  title: string;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** Without close button and outside click, if a choice must be made. */
  role?: 'dialog' | 'alertdialog';
  /** `sheet` is at the side from top to bottom, and the page below it does not scroll; `bottom` is at a phone's lower edge. */
  look?: 'box' | 'sheet' | 'bottom';
};

const LOOK = {
  box: 'm-auto w-[min(34rem,calc(100vw-2.5rem))] rounded-lg border max-sm:mb-5 [&>div]:max-h-[85dvh]',
  bottom:
    'm-auto mb-0 w-full max-w-[34rem] rounded-t-lg border pb-[env(safe-area-inset-bottom)] max-sm:max-w-none sm:mb-auto sm:rounded-lg [&>div]:max-h-[85dvh]',
  sheet: 'sheet m-0 ml-auto h-dvh max-h-none w-[min(21rem,100vw)] max-w-none border-l [&>div]:h-full',
};

/**
 * The browser's own modal: it keeps the focus inside, makes the rest inert, handles Escape and returns the focus to
 * what opened it.
 */
export function Dialog({ open, ...dialog }: DialogProps) {
  return open ? <OpenDialog {...dialog} /> : null;
}

/** A component of its own: it closes the dialog before React removes it, and only then does the browser return the focus. */
function OpenDialog({ onClose, title, children, footer, role = 'dialog', look = 'box' }: Omit<DialogProps, 'open'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const box = dialog.current;
    if (!box) return;
    box.showModal();
    // React focuses `autoFocus` before the dialog is open, when nothing in it can be focused; the browser then chooses
    // the close button.
    box.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => box.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      closedby={role === 'dialog' ? 'any' : 'closerequest'}
      className={cx('@container border-line bg-surface text-ink shadow-2xl', LOOK[look])}
    >
      {/* Large text on a phone leaves no space for the content between title and buttons, so everything scrolls (decision record 0158). */}
      <div className="flex flex-col @max-[14rem]:overflow-y-auto">
        <div className="flex items-start justify-between gap-4 px-5 pt-4 @max-[14rem]:flex-wrap-reverse @max-[14rem]:gap-y-0">
          <h2 id={id} className="py-1.5 text-lg @max-[14rem]:text-base">
            {title}
          </h2>
          {role === 'dialog' && (
            <IconButton label="Close" onClick={onClose} className="-mr-2 ml-auto">
              <X aria-hidden="true" />
            </IconButton>
          )}
        </div>
        <div className="overflow-y-auto px-5 py-3 @max-[14rem]:shrink-0 @max-[14rem]:overflow-visible">{children}</div>
        {footer && <div className="flex flex-wrap justify-end gap-3 border-t border-line px-5 py-4">{footer}</div>}
      </div>
    </dialog>
  );
}

/** One message of the `Toaster`, which loads it after the page. */
import { useRef, useState, type PointerEvent } from 'react';
import { IconButton } from '#src/ui/icon-button.tsx';
import { CircleAlert, CircleCheck, Info, X } from '#src/ui/icon.tsx';
import { closeToast, holdToast, type Toast } from '#src/ui/toast.ts';

const ICONS = {
  success: <CircleCheck aria-hidden="true" className="text-success" />,
  error: <CircleAlert aria-hidden="true" className="text-danger" />,
  info: <Info aria-hidden="true" className="text-accent-text" />,
};

/** How far a swipe must go to dismiss a message, in pixels. */
const SWIPED_PX = 60;

export function ToastCard({ toast }: { toast: Toast }) {
  const from = useRef<number | null>(null);
  const [moved, setMoved] = useState(0);
  function settle(): void {
    from.current = null;
    if (Math.abs(moved) >= SWIPED_PX) closeToast(toast.id);
    else setMoved(0);
  }
  return (
    <div
      onPointerEnter={() => holdToast(toast, true)}
      onPointerLeave={() => holdToast(toast, false)}
      onFocus={() => holdToast(toast, true)}
      onBlur={() => holdToast(toast, false)}
      onPointerDown={(event: PointerEvent) => {
        if (event.pointerType === 'touch') from.current = event.clientX;
      }}
      onPointerMove={(event: PointerEvent) => {
        if (from.current !== null) setMoved(event.clientX - from.current);
      }}
      onPointerUp={settle}
      onPointerCancel={settle}
      style={moved === 0 ? undefined : { transform: `translateX(${moved}px)`, opacity: 1 - Math.abs(moved) / 300 }}
      className="pointer-events-auto touch-pan-y flex w-full max-w-sm items-center gap-3 rounded border border-line-strong bg-surface py-1 pr-1 pl-4 text-sm font-semibold text-ink shadow-xl [&>svg]:size-5 [&>svg]:shrink-0"
    >
      {ICONS[toast.tone]}
      <span className="min-w-0 flex-1 py-2">{toast.message}</span>
      {toast.action && (
        <button
          type="button"
          className="min-h-11 rounded px-2 font-semibold text-accent-text underline underline-offset-4"
          onClick={() => {
            toast.action?.act();
            closeToast(toast.id);
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton label="Close this message" onClick={() => closeToast(toast.id)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

import { useSyncExternalStore } from 'react';
import { IconButton } from '#src/ui/icon-button.tsx';
import { CircleAlert, CircleCheck, Info, X } from '#src/ui/icon.tsx';
import { closeToast, toastStore, type Toast } from '#src/ui/toast.ts';

const ICONS = {
  success: <CircleCheck aria-hidden="true" className="text-success" />,
  error: <CircleAlert aria-hidden="true" className="text-danger" />,
  info: <Info aria-hidden="true" className="text-accent-text" />,
};

/** Stands once in the page's shell. The region is always there, so that screen readers hear what comes into it. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer);
  return (
    <div
      role="status"
      aria-live="polite"
      className="toasts pointer-events-none fixed inset-x-0 z-50 flex flex-col items-center gap-2 px-5 md:right-5 md:left-auto md:items-end md:px-0"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  return (
    <div className="pointer-events-auto flex w-full max-w-sm items-center gap-3 rounded border border-line-strong bg-surface py-1 pr-1 pl-4 text-sm font-semibold shadow-xl [&>svg]:size-5 [&>svg]:shrink-0">
      {ICONS[toast.tone]}
      <span className="min-w-0 flex-1 py-2">{toast.message}</span>
      <IconButton label="Close this message" onClick={() => closeToast(toast.id)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

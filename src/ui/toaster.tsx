import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastStore, type Toast } from '#src/ui/toast.ts';

/** Without a connection the plain message is shown. */
const ToastCard = lazy<typeof Bare>(() =>
  import('#src/ui/toast-card.tsx').then(
    (card) => ({ default: card.ToastCard }),
    () => ({ default: Bare }),
  ),
);

/** Used once in the page's shell. The region is always in the page, so that screen readers announce what is added to it. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer);
  return (
    <div
      role="status"
      className="toasts pointer-events-none fixed inset-x-0 z-50 flex flex-col items-center gap-2 px-5 md:right-5 md:left-auto md:items-end md:px-0"
    >
      {toasts.map((toast) => (
        <Suspense key={toast.id}>
          <ToastCard toast={toast} />
        </Suspense>
      ))}
    </div>
  );
}

function Bare({ toast }: { toast: Toast }) {
  return (
    <p className="rounded border border-line-strong bg-surface px-4 py-3 text-sm font-semibold">{toast.message}</p>
  );
}

/** Short news at the edge of the screen. `showToast` may be called from anywhere in the browser. */
export type Toast = { id: number; tone: 'success' | 'error' | 'info'; message: string };

const SHOWN_MS = 6_000;
const AT_MOST = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something; problems stay until they are closed, everything else six seconds. Answers the id to close it by. */
export function showToast(message: string, tone: Toast['tone'] = 'info'): number {
  const toast: Toast = { id: ++lastId, tone, message };
  change([...toasts, toast].slice(-AT_MOST));
  if (tone !== 'error') setTimeout(() => closeToast(toast.id), SHOWN_MS);
  return toast.id;
}

export function closeToast(id: number): void {
  if (toasts.some((toast) => toast.id === id)) change(toasts.filter((toast) => toast.id !== id));
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => toasts,
  readOnServer: () => NONE,
};
const NONE: readonly Toast[] = [];

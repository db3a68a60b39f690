/** Short messages at the edge of the screen. `showToast` may be called from anywhere in the browser. */
import { createListeners } from '#src/shared/listeners.ts';

export type Toast = { id: number; tone: 'success' | 'error' | 'info'; message: string; action: ToastAction | null };

/** An action of the message, such as Undo. It closes the message. */
export type ToastAction = { label: string; act: () => void };

const SHOWN_MS: Record<Toast['tone'], number> = { success: 6_000, info: 6_000, error: 10_000 };
const AT_MOST = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = createListeners();

function change(next: readonly Toast[]): void {
  toasts = next;
  listeners.emit();
}

/** Shows a message: problems for ten seconds, everything else for six. Returns the id to close it by. */
export function showToast(message: string, tone: Toast['tone'] = 'info', action: ToastAction | null = null): number {
  const toast: Toast = { id: ++lastId, tone, message, action };
  change([...toasts, toast].slice(-AT_MOST));
  leave(toast, SHOWN_MS[tone]);
  return toast.id;
}

const leaving = new Map<number, ReturnType<typeof setTimeout>>();

function leave({ id }: Pick<Toast, 'id'>, afterMs: number): void {
  clearTimeout(leaving.get(id));
  leaving.set(
    id,
    setTimeout(() => closeToast(id), afterMs),
  );
}

/** A message stays while the pointer or the focus is in it; after that its full time starts again. */
export function holdToast(toast: Toast, isHeld: boolean): void {
  if (isHeld) clearTimeout(leaving.get(toast.id));
  else leave(toast, SHOWN_MS[toast.tone]);
}

export function closeToast(id: number): void {
  clearTimeout(leaving.get(id));
  leaving.delete(id);
  if (toasts.some((toast) => toast.id === id)) change(toasts.filter((toast) => toast.id !== id));
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe: listeners.watch,
  read: () => toasts,
  readOnServer: () => NONE,
};
const NONE: readonly Toast[] = [];

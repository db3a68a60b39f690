/** Restores what a test file changed in its thread and its window for the next file, which uses the same. */
import { afterAll, vi } from 'vitest';
import { closeToast, toastStore } from '#src/ui/toast.ts';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const { id } of toastStore.read()) closeToast(id);
  if (!('document' in globalThis)) return;
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

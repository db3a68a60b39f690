/** Restores what a test file changed in its thread and its window for the next file, which uses the same. */
import { configure } from '@testing-library/dom';
import { afterAll, vi } from 'vitest';
import { closeToast, toastStore } from '#src/ui/toast.ts';

// A busy machine may take longer than the default second.
configure({ asyncUtilTimeout: 15_000 });

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

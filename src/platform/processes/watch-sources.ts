import { watch } from 'node:fs';

const SETTLE_MS = 150;

/**
 * Development only: calls `changed` after the server's sources were saved. Pages (`.tsx`) and styles are the business of
 * Vite, which replaces them in the running browser. Answers how to stop.
 */
export function watchSources(folder: string, changed: () => void): () => void {
  let pending: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (!name?.endsWith('.ts') || name.endsWith('.test.ts')) return;
    clearTimeout(pending);
    pending = setTimeout(changed, SETTLE_MS);
  });
  watcher.on('error', () => undefined);
  return () => {
    clearTimeout(pending);
    watcher.close();
  };
}

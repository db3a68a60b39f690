/**
 * What the browser remembers of who is signed in: names and role, to be shown and nothing else (decision note 0006). The server decides
 * everything. Cleared at logout; the other tabs hear of it and ask the server again.
 */
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { UserAnswer } from '#src/features/accounts/accounts.contract.ts';

const KEY = 'auth';

type Viewer = Pick<UserAnswer, 'first_name' | 'last_name' | 'role_id'>;

/** A browser that keeps nothing (private windows) shows the same pages. */
function remember(viewer: Viewer | null): void {
  try {
    if (viewer === null) return window.localStorage.removeItem(KEY);
    const { first_name, last_name, role_id } = viewer;
    window.localStorage.setItem(
      KEY,
      // The user came with the page, so the specification's loading flag is over whenever somebody can look.
      JSON.stringify({ user: { first_name, last_name, role_id }, error: null, loading: false }),
    );
  } catch {
    // Nothing depends on it.
  }
}

/** For the root of all pages: keeps the state in step with the server, and this tab in step with the others. */
export function useAuthState(viewer: Viewer | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => remember(viewer), [viewer]);
  useEffect(() => {
    const hear = (event: StorageEvent) => {
      if (event.key === KEY) void revalidate();
    };
    window.addEventListener('storage', hear);
    return () => window.removeEventListener('storage', hear);
  }, [revalidate]);
}

/** At logout, before anything else of the page goes. */
export function forgetAuthState(): void {
  remember(null);
}

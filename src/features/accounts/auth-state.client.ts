/**
 * What the browser remembers of who is signed in: names and role, to be shown and nothing else (decision record 0006). The server decides
 * everything. Cleared at logout; the other tabs hear of it and ask the server again.
 */
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';

/** In the browser's storage; another tab that logs in or out writes it. */
export const AUTH_KEY = 'auth';

type Viewer = Pick<UserAnswer, 'first_name' | 'last_name' | 'role_id'>;

/** The user comes with the page, so the specification's loading flag is over whenever someone can look. */
function stateOf(viewer: Viewer | null, error: string | null) {
  const user = viewer && { first_name: viewer.first_name, last_name: viewer.last_name, role_id: viewer.role_id };
  return { user, error, loading: false };
}

/** A browser that keeps nothing (private windows) shows the same pages. */
function remember(viewer: Viewer | null, error: string | null = null): void {
  try {
    if (viewer === null && error === null) window.localStorage.removeItem(AUTH_KEY);
    else window.localStorage.setItem(AUTH_KEY, JSON.stringify(stateOf(viewer, error)));
  } catch {
    // Nothing depends on it.
  }
}

/** A login that failed, in the server's words (P§8). */
export function rememberLoginError(error: string): void {
  remember(null, error);
}

/** For the root of all pages: keeps the state in step with the server, and this tab in step with the others. */
export function useAuthState(viewer: Viewer | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => remember(viewer), [viewer]);
  useEffect(() => {
    const hear = (event: StorageEvent) => {
      if (event.key === AUTH_KEY) void revalidate();
    };
    window.addEventListener('storage', hear);
    return () => window.removeEventListener('storage', hear);
  }, [revalidate]);
}

/** At logout, before anything else of the page goes. */
export function forgetAuthState(): void {
  remember(null);
}

/**
 * What the browser stores about the signed-in user: names and role, only for display (decision record 0006). The server decides
 * everything. Cleared at logout; other tabs are notified and ask the server again.
 */
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { session } from '#src/web/ended-session.ts';

/** In the browser's storage; another tab that logs in or out writes it. */
export const AUTH_KEY = 'auth';
/** The channel on which a window notifies the others that someone logged out. */
export const LOGOUTS = 'sideline-logouts';
/** An event of this window: its viewer has logged in again, and the page is the same. */
export const LOGGED_IN_AGAIN = 'sideline-logged-in-again';

type Viewer = Pick<UserAnswer, 'first_name' | 'last_name' | 'role_id'>;

/** The page contains the user, so the specification's loading flag is already over. */
function stateOf(viewer: Viewer | null, error: string | null) {
  const user = viewer && { first_name: viewer.first_name, last_name: viewer.last_name, role_id: viewer.role_id };
  return { user, error, loading: false };
}

/** A browser without storage (private windows) shows the same pages. */
export function remember(viewer: Viewer | null, error: string | null = null): void {
  try {
    if (viewer === null && error === null) window.localStorage.removeItem(AUTH_KEY);
    else window.localStorage.setItem(AUTH_KEY, JSON.stringify(stateOf(viewer, error)));
  } catch {
    // Nothing depends on it.
  }
}

/** A failed login, in the server's words (P§8). */
export function rememberLoginError(error: string): void {
  remember(null, error);
}

/** In the root of all pages: synchronizes the state with the server, and this tab with the others. */
export function useAuthState(viewer: Viewer | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => remember(viewer), [viewer]);
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === AUTH_KEY && !session.keeper?.keepsPage()) void revalidate();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [revalidate]);
}

/** At logout, before the rest of the page. */
export function forgetAuthState(): void {
  remember(null);
}

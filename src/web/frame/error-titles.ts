/** The title of an error. Separate from the screens, which pages load later (`late-error-screen.tsx`). */
import { isRouteErrorResponse } from 'react-router';

export const PAGE_NOT_FOUND = 'This page cannot be found.';

const TITLES = {
  403: 'You don’t have access to this page.',
  404: PAGE_NOT_FOUND,
  429: 'One moment, please.',
  503: 'We’ll be right back.',
} as const;
const BAD_REQUEST = 'Something went wrong.';
const UNEXPECTED = 'Something went wrong on our side.';
const NO_CONNECTION = 'You’re offline.';

/** Heading of the error screen and title of its window. */
export function titleOfError(error: unknown): string {
  if (isConnectionLost(error)) return NO_CONNECTION;
  const status = statusOfError(error);
  return TITLES[status as keyof typeof TITLES] ?? (status < 500 ? BAD_REQUEST : UNEXPECTED);
}

/** The browser's own error when a navigation reached no server; each engine words it differently. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message);
}

export function statusOfError(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : 500;
}

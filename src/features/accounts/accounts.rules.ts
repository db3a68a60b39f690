/** Where users land after a login, and how long a password counts as recent. */
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { NO_ORGANIZATION_YET } from '#src/features/accounts/accounts.contract.ts';

/** A password that was typed this recently allows protected calls (rule 47). */
export const STEP_UP_MINUTES = 10;

/**
 * The landing page of a login (specification P§2.4): a child organization's dashboard, otherwise the organization's report.
 * Without an organization, platform admins start in the office, and everyone else on the root home page.
 */
export function landingPath(user: UserAnswer): string {
  const first = user.organizations[0];
  if (!first) return user.role_id === 2 ? '/admin-report' : '/';
  return first.parent_organization_id === null ? `/${first.domain_name}/report` : `/${first.domain_name}/dashboard`;
}

/** The host label of that landing page: the parent's for a child, the organization's own otherwise. */
export function landingHostLabel(user: UserAnswer): string | null {
  const first = user.organizations[0];
  if (!first) return null;
  return first.parent_organization?.domain_name ?? first.domain_name;
}

/** Pages that no one logs in to see; a redirect to one of them (or back to the login) is ignored. */
const NEVER_REQUESTED = /^\/(?:login|logout|sign-up|forgot-password|update-password|password)?(?:[/?#]|$)/;

/** The `redirect` of the login, null if it should be ignored. Another function checks that it stays on the site. */
export function requestedPath(redirect: string | null): string | null {
  return redirect === null || NEVER_REQUESTED.test(redirect) ? null : redirect;
}

/** The current address: parts of `window.location`. */
type Place = { hostname: string; protocol: string; port: string };

/** The landing page on its own host if the cookie of this browser applies there, else on the current host. */
export function landingAddress(user: UserAnswer, place: Place, baseDomain: string): string {
  const path = landingPath(user);
  const label = landingHostLabel(user);
  const isBelowBase = place.hostname === baseDomain || place.hostname.endsWith(`.${baseDomain}`);
  if (label === null || !isBelowBase) return path;
  return `${place.protocol}//${label}.${baseDomain}${place.port === '' ? '' : `:${place.port}`}${path}`;
}

/** The address after a login: a requested page first, then the landing page. @param wanted a path of our site */
export function destinationOf(
  user: UserAnswer,
  { wanted, place, baseDomain }: { wanted: string | null; place: Place; baseDomain: string },
): string {
  if (user.organizations.length === 0 && user.role_id !== 2)
    return `/?notice=${encodeURIComponent(NO_ORGANIZATION_YET)}`;
  return wanted ?? landingAddress(user, place, baseDomain);
}

/** What follows from who someone is: where they land, how long a password counts as typed just now. */
import { type UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { NO_ORGANIZATION_YET } from '#src/features/accounts/accounts.contract.ts';

/** A password typed this recently opens the guarded calls (rule 47). */
export const STEP_UP_MINUTES = 10;

/**
 * Where a login lands (specification P§2.4): a child organization's dashboard, otherwise the organization's report. Without an
 * organization of their own, platform admins begin in the office, and everyone else at the root home.
 */
export function landingPath(user: UserAnswer): string {
  const first = user.organizations[0];
  if (!first) return user.role_id === 2 ? '/admin-report' : '/';
  return first.parent_organization_id === null ? `/${first.domain_name}/report` : `/${first.domain_name}/dashboard`;
}

/** The host label on which that landing page lives: the parent's for a child, the organization's own otherwise. */
export function landingHostLabel(user: UserAnswer): string | null {
  const first = user.organizations[0];
  if (!first) return null;
  return first.parent_organization?.domain_name ?? first.domain_name;
}

/** Pages that no one logs in to see; a redirect to one of them (or back to the login) is no wish. */
const NO_WISH = /^\/(?:login|logout|sign-up|forgot-password|update-password|password)?(?:[/?#]|$)/;

/** The `redirect` of the login as a wish, null where there is none worth following. That it stays on the site is asked elsewhere. */
export function wishedPath(redirect: string | null): string | null {
  return redirect === null || NO_WISH.test(redirect) ? null : redirect;
}

/** Where this browser is: the parts of `window.location`. */
export type Place = { hostname: string; protocol: string; port: string };

/** The landing page on its own host where this browser can reach hosts of the base domain, else on the present one. */
export function landingAddress(user: UserAnswer, place: Place, baseDomain: string): string {
  const path = landingPath(user);
  const label = landingHostLabel(user);
  const isBelowBase = place.hostname === baseDomain || place.hostname.endsWith(`.${baseDomain}`);
  if (label === null || !isBelowBase) return path;
  return `${place.protocol}//${label}.${baseDomain}${place.port === '' ? '' : `:${place.port}`}${path}`;
}

/** Where the browser goes after a login: a page that was wanted wins; then the first organization's own. @param wanted a path of our site */
export function destinationOf(
  user: UserAnswer,
  { wanted, place, baseDomain }: { wanted: string | null; place: Place; baseDomain: string },
): string {
  if (user.organizations.length === 0 && user.role_id !== 2)
    return `/?notice=${encodeURIComponent(NO_ORGANIZATION_YET)}`;
  return wanted ?? landingAddress(user, place, baseDomain);
}

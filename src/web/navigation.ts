/** Which links the bar shows to whom (specification P§2.4, "Navigation bar", and §6). */
import type { UserAnswer } from '#src/features/accounts/accounts.contract.ts';

export type NavIconName =
  | 'dashboard'
  | 'new-gallery'
  | 'upgrade'
  | 'reports'
  | 'requests'
  | 'settings'
  | 'sales'
  | 'bulk-gallery'
  | 'bulk-accounts'
  | 'new-org'
  | 'log-out';

export type NavItem = {
  label: string;
  to: string;
  /** Null for public pages, which go by their names alone. */
  icon: NavIconName | null;
  /** How many things wait there; null where nothing is counted. */
  count: number | null;
};

/** An affiliate, or a parent under its own name, as the bar sees it for one viewer. */
export type NavAffiliate = {
  domainName: string;
  isChild: boolean;
  /** The viewer may work here; a link into somebody else's rooms would log them out (guard 3). */
  mayWork: boolean;
  /** On the free tier, with all the galleries that it allows. */
  isFull: boolean;
  /** The viewer belongs to the platform, not to the affiliate or its parent. */
  asAdmin?: boolean;
  /** Requests to hide a photo that wait for an answer; counted for those who may work here. */
  openRequests?: number;
};

type Facts = {
  isSignedIn: boolean;
  /** `role_id` 2. */
  isAdmin: boolean;
  /** Where the working links lead; null for somebody without an organisation. */
  affiliate: NavAffiliate | null;
};

type Rule = {
  label: string;
  /** As in `routes.ts`. */
  page: string;
  icon: NavIconName | null;
  shows: (facts: Facts) => boolean;
  count?: (facts: Facts) => number | null;
};

const isVisitor = ({ isSignedIn }: Facts) => !isSignedIn;
const isAtChild = ({ isSignedIn, affiliate }: Facts) => isSignedIn && affiliate?.isChild === true;
const isAtAny = ({ isSignedIn, affiliate }: Facts) => isSignedIn && affiliate !== null;

/** Every link of the specification, in the order of the bar. */
export const NAV_RULES: readonly Rule[] = [
  { label: 'Why', page: 'why', icon: null, shows: isVisitor },
  { label: 'Pricing', page: 'pricing', icon: null, shows: isVisitor },
  { label: 'Support', page: 'support', icon: null, shows: isVisitor },
  { label: 'Log In', page: 'login', icon: null, shows: isVisitor },
  { label: 'Sign Up', page: 'sign-up', icon: null, shows: isVisitor },
  { label: 'Dashboard', page: ':affiliate/dashboard', icon: 'dashboard', shows: isAtChild },
  {
    label: 'Requests',
    page: ':affiliate/takedowns',
    icon: 'requests',
    // Not of the specification's bar: it comes with a request, and goes with its answer.
    shows: (facts) => isAtAny(facts) && (facts.affiliate?.openRequests ?? 0) > 0,
    count: ({ affiliate }) => affiliate?.openRequests ?? null,
  },
  {
    label: 'New Gallery',
    page: ':affiliate/create-gallery',
    icon: 'new-gallery',
    shows: (facts) => isAtChild(facts) && facts.affiliate?.isFull === false,
  },
  {
    label: 'Upgrade',
    page: ':affiliate/upgrade-account',
    icon: 'upgrade',
    shows: (facts) => isAtAny(facts) && facts.affiliate?.isFull === true,
  },
  { label: 'Reports', page: ':affiliate/report', icon: 'reports', shows: isAtAny },
  { label: 'Settings', page: ':affiliate/settings', icon: 'settings', shows: isAtAny },
  { label: 'Sales', page: 'admin-report', icon: 'sales', shows: ({ isAdmin }) => isAdmin },
  {
    label: 'Create Bulk Gallery',
    page: ':affiliate/create-bulk-gallery',
    icon: 'bulk-gallery',
    shows: (facts) => facts.isAdmin && isAtChild(facts),
  },
  {
    label: 'Create Bulk Accounts',
    page: ':affiliate/create-bulk-users',
    icon: 'bulk-accounts',
    shows: (facts) => facts.isAdmin && isAtChild(facts),
  },
  { label: 'New Org', page: 'new-org', icon: 'new-org', shows: ({ isAdmin }) => isAdmin },
  { label: 'Log Out', page: 'logout', icon: 'log-out', shows: ({ isSignedIn }) => isSignedIn },
];

/**
 * The links for this viewer. They lead into the affiliate of the page where the viewer may work there, else into the
 * viewer's own first one.
 */
export function navItems(
  viewer: Pick<UserAnswer, 'role_id'> | null,
  places: { ofPage: NavAffiliate | null; own: NavAffiliate | null },
): NavItem[] {
  const affiliate = places.ofPage?.mayWork ? places.ofPage : places.own;
  const facts: Facts = { isSignedIn: viewer !== null, isAdmin: viewer?.role_id === 2, affiliate };
  return NAV_RULES.filter((rule) => rule.shows(facts)).map(({ label, page, icon, count }) => ({
    label,
    icon,
    count: count?.(facts) ?? null,
    to: `/${page.replace(':affiliate', affiliate?.domainName ?? '')}`,
  }));
}

/** Hidden with `?publicView`, and for visitors on an affiliate's pages. */
export function barIsHidden(page: { search: string; isAffiliatePage: boolean; isSignedIn: boolean }): boolean {
  return new URLSearchParams(page.search).has('publicView') || (page.isAffiliatePage && !page.isSignedIn);
}

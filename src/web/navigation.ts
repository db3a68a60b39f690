/**
 * Which links the navigation bar shows to whom (specification P§2.4, "Navigation bar", and §6). For platform admins it
 * is the only navigation of the office: the organization that they look at, its bulk tools, and the office's own pages
 * (decision record 0041).
 */
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';

export type NavIconName =
  | 'dashboard'
  | 'new-gallery'
  | 'upgrade'
  | 'prices'
  | 'roster'
  | 'reports'
  | 'requests'
  | 'settings'
  | 'sales'
  | 'payouts'
  | 'refunds'
  | 'reconciliation'
  | 'organizations'
  | 'promo-codes'
  | 'audit-log'
  | 'questions'
  | 'erase'
  | 'version'
  | 'health'
  | 'edit-accounts'
  | 'csv'
  | 'bulk-gallery'
  | 'bulk-accounts'
  | 'new-org'
  | 'account'
  | 'log-out';

/** Groups of the side navigation; those of platform admins have a heading. */
export type NavGroup = 'Bulk tools' | 'Office' | null;

export type NavItem = {
  label: string;
  to: string;
  group: NavGroup;
  /** Further pages that belong to this link, by the part of their address after the organization's path. */
  covers: RegExp | null;
  /** Null for public pages, which show only their names. */
  icon: NavIconName | null;
  /** How many items wait there; null if nothing is counted. */
  count: number | null;
};

/** An affiliate, or a parent under its own name, as the navigation bar shows it to one viewer. */
export type NavAffiliate = {
  domainName: string;
  isChild: boolean;
  /** Whether the viewer may edit here; a link into someone else's pages would log them out (guard 3). */
  mayWork: boolean;
  /** On the free tier, with all the galleries that it allows. */
  isFull: boolean;
  /** The viewer belongs to the platform, not to the affiliate or its parent. */
  asAdmin?: boolean;
  /** The parent whose member the viewer is: this organization's, or itself. None for platform admins. */
  parentPath?: string | undefined;
  /** Requests to hide a photo that wait for an answer; counted for those who may edit here. */
  openRequests?: number;
};

type Facts = {
  isSignedIn: boolean;
  /** `role_id` 2. */
  isAdmin: boolean;
  /** Where the members' links lead; null for visitors, and for someone without an organization. */
  affiliate: NavAffiliate | null;
};

type Rule = {
  label: string;
  /** As in `routes.ts`; `:parent` is the parent's path. */
  page: string;
  icon: NavIconName | null;
  group?: Exclude<NavGroup, null>;
  covers?: RegExp | undefined;
  shows: (facts: Facts) => boolean;
  count?: (facts: Facts) => number | null;
};

const isAtChild = ({ affiliate }: Facts) => affiliate?.isChild === true;
const isAtAny = ({ affiliate }: Facts) => affiliate !== null;
const isAdmin = (facts: Facts) => facts.isAdmin;

const publicPage = (label: string, page: string): Rule => ({
  label,
  page,
  icon: null,
  shows: ({ isSignedIn }) => !isSignedIn,
});
const memberPage = (label: string, page: string, icon: NavIconName, covers?: RegExp): Rule => ({
  label,
  page: `:affiliate/${page}`,
  icon,
  covers,
  shows: isAtAny,
});
/** On every organization that a platform admin opens, so that a new parent can get its accounts. */
const bulkTool = (label: string, page: string, icon: NavIconName, covers?: RegExp): Rule => ({
  ...memberPage(label, page, icon, covers),
  group: 'Bulk tools',
  shows: (facts) => facts.isAdmin && isAtAny(facts),
});
const officePage = (label: string, page: string, icon: NavIconName): Rule => ({
  label,
  page,
  icon,
  group: 'Office',
  shows: isAdmin,
});

/** Every link of the navigation bar, in its order. */
export const NAV_RULES: readonly Rule[] = [
  publicPage('Why', 'why'),
  publicPage('Pricing', 'pricing'),
  publicPage('Support', 'support'),
  publicPage('Log In', 'login'),
  publicPage('Sign Up', 'sign-up'),
  {
    label: 'Organizations',
    page: ':parent/dashboard',
    icon: 'organizations',
    // Not in the specification, which gives members of a parent no link to its affiliates (decision record 0161).
    shows: ({ affiliate }) => Boolean(affiliate?.parentPath),
  },
  { ...memberPage('Dashboard', 'dashboard', 'dashboard', /^gallery\/\d+\/(edit|review)/), shows: isAtChild },
  {
    ...memberPage('Requests', 'takedowns', 'requests'),
    // Not in the specification: it appears with a request, and disappears with its answer.
    shows: ({ affiliate }) => (affiliate?.openRequests ?? 0) > 0,
    count: ({ affiliate }) => affiliate?.openRequests ?? null,
  },
  {
    ...memberPage('New Gallery', 'create-gallery', 'new-gallery'),
    shows: (facts) => isAtChild(facts) && !facts.affiliate?.isFull,
  },
  {
    ...memberPage('Upgrade', 'upgrade-account', 'upgrade'),
    shows: ({ affiliate }) => affiliate?.isFull === true,
  },
  memberPage('Prices', 'prices', 'prices'),
  memberPage('Roster', 'roster', 'roster'),
  memberPage('Reports', 'report', 'reports', /^(orders|statements)(\/|$)/),
  memberPage('Settings', 'settings', 'settings', /^(activity|api-tokens|webhooks|your-data)(\/|$)/),
  bulkTool('Accounts from CSV', 'bulk-users-csv', 'csv'),
  bulkTool('Galleries from CSV', 'bulk-gallery-csv', 'csv'),
  bulkTool('Create Bulk Accounts', 'create-bulk-users', 'bulk-accounts'),
  bulkTool('Create Bulk Gallery', 'create-bulk-gallery', 'bulk-gallery'),
  bulkTool('Edit Accounts', 'edit-bulk-users', 'edit-accounts', /^user\//),
  officePage('Sales', 'admin-report', 'sales'),
  officePage('Payouts', 'admin/pay-outs', 'payouts'),
  officePage('Refunds', 'admin/refunds', 'refunds'),
  officePage('Reconciliation', 'admin/reconciliation', 'reconciliation'),
  officePage('Organizations', 'admin/organizations', 'organizations'),
  officePage('Promo codes', 'admin/promo-codes', 'promo-codes'),
  officePage('Audit log', 'admin/audit-log', 'audit-log'),
  officePage('Questions', 'admin/questions', 'questions'),
  officePage('Erase a person', 'admin/erasures', 'erase'),
  officePage('Health', 'admin/health', 'health'),
  officePage('New Org', 'new-org', 'new-org'),
  officePage('Version', 'admin/version', 'version'),
  // Not in the specification: everyone's own login (decision record 0176).
  { label: 'Account', page: 'users/me', icon: 'account', shows: ({ isSignedIn }) => isSignedIn },
  { label: 'Log Out', page: 'logout', icon: 'log-out', shows: ({ isSignedIn }) => isSignedIn },
];

/**
 * The links for this viewer. They lead to the affiliate of the page if the viewer may edit it, otherwise to the
 * viewer's own first one.
 */
export function navItems(
  viewer: Pick<UserAnswer, 'role_id'> | null,
  places: { ofPage: NavAffiliate | null; own: NavAffiliate | null },
): NavItem[] {
  const affiliate = places.ofPage?.mayWork ? places.ofPage : places.own;
  const facts: Facts = { isSignedIn: viewer !== null, isAdmin: viewer?.role_id === 2, affiliate };
  return NAV_RULES.filter((rule) => rule.shows(facts)).map(({ label, page, icon, count, group, covers }) => ({
    label,
    icon,
    group: group ?? null,
    covers: covers ?? null,
    count: count?.(facts) ?? null,
    to: `/${page.replace(':affiliate', affiliate?.domainName ?? '').replace(':parent', affiliate?.parentPath ?? '')}`,
  }));
}

/** Whether a link leads to this page, to a page below it, or to one that belongs to it. */
export function isCurrent({ to, covers }: Pick<NavItem, 'to' | 'covers'>, pathname: string): boolean {
  if (pathname === to || pathname.startsWith(`${to}/`)) return true;
  const root = to.slice(0, to.indexOf('/', 1) + 1);
  return covers !== null && pathname.startsWith(root) && covers.test(pathname.slice(root.length));
}

/** Hidden with `?publicView`, and for visitors on an affiliate's pages. */
export function barIsHidden(page: { search: string; isAffiliatePage: boolean; isSignedIn: boolean }): boolean {
  return new URLSearchParams(page.search).has('publicView') || (page.isAffiliatePage && !page.isSignedIn);
}

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
  /** Where the members' links lead; null for someone without an organization. */
  affiliate: NavAffiliate | null;
};

type Rule = {
  label: string;
  /** As in `routes.ts`; `:parent` is the parent's path. */
  page: string;
  icon: NavIconName | null;
  group?: Exclude<NavGroup, null>;
  covers?: RegExp;
  shows: (facts: Facts) => boolean;
  count?: (facts: Facts) => number | null;
};

const isVisitor = ({ isSignedIn }: Facts) => !isSignedIn;
const isAtChild = ({ isSignedIn, affiliate }: Facts) => isSignedIn && affiliate?.isChild === true;
const isAtAny = ({ isSignedIn, affiliate }: Facts) => isSignedIn && affiliate !== null;
const isAdmin = (facts: Facts) => facts.isAdmin;

/** On every organization that a platform admin opens, so that a new parent can get its accounts. */
const bulkTool = (label: string, page: string, icon: NavIconName, covers?: RegExp): Rule => ({
  label,
  page: `:affiliate/${page}`,
  icon,
  group: 'Bulk tools',
  ...(covers ? { covers } : {}),
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
  { label: 'Why', page: 'why', icon: null, shows: isVisitor },
  { label: 'Pricing', page: 'pricing', icon: null, shows: isVisitor },
  { label: 'Support', page: 'support', icon: null, shows: isVisitor },
  { label: 'Log In', page: 'login', icon: null, shows: isVisitor },
  { label: 'Sign Up', page: 'sign-up', icon: null, shows: isVisitor },
  {
    label: 'Organizations',
    page: ':parent/dashboard',
    icon: 'organizations',
    // Not in the specification, which gives members of a parent no link to its affiliates (decision record 0161).
    shows: ({ affiliate }) => Boolean(affiliate?.parentPath),
  },
  {
    label: 'Dashboard',
    page: ':affiliate/dashboard',
    icon: 'dashboard',
    covers: /^gallery\/\d+\/(edit|review)/,
    shows: isAtChild,
  },
  {
    label: 'Requests',
    page: ':affiliate/takedowns',
    icon: 'requests',
    // Not in the specification: it appears with a request, and disappears with its answer.
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
  {
    label: 'Prices',
    page: ':affiliate/prices',
    icon: 'prices',
    shows: isAtAny,
  },
  {
    label: 'Roster',
    page: ':affiliate/roster',
    icon: 'roster',
    shows: isAtAny,
  },
  {
    label: 'Reports',
    page: ':affiliate/report',
    icon: 'reports',
    covers: /^(orders|statements)(\/|$)/,
    shows: isAtAny,
  },
  {
    label: 'Settings',
    page: ':affiliate/settings',
    icon: 'settings',
    covers: /^(activity|api-tokens|webhooks|your-data)(\/|$)/,
    shows: isAtAny,
  },
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

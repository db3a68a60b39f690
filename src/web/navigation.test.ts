import { describe, expect, test } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#src/routes.ts';
import { layoutOf, hidesCart } from '#src/web/route-handle.ts';
import { barIsHidden, isCurrent, NAV_RULES, navItems, type NavAffiliate } from '#src/web/navigation.ts';

const hawks: NavAffiliate = { domainName: 'hawks', isChild: true, mayWork: true, isFull: false };
const lakeside: NavAffiliate = { ...hawks, domainName: 'lakeside', isChild: false };
const member = { role_id: 1 };
const admin = { role_id: 2 };
const ALL = NAV_RULES.map(({ page }) => page.replace(':parent', ':affiliate'));
const BULK = 'Accounts from CSV, Galleries from CSV, Create Bulk Accounts, Create Bulk Gallery, Edit Accounts';
const OFFICE =
  'Sales, Payouts, Refunds, Reconciliation, Organizations, Promo codes, Audit log, Questions, Erase a person, Health, New Org, Version';

describe('the navigation bar shows what is allowed', () => {
  test.each([
    ['a visitor', null, null, null, 'Why, Pricing, Support, Log In, Sign Up'],
    [
      'a visitor on an affiliate page',
      null,
      { ...hawks, mayWork: false },
      null,
      'Why, Pricing, Support, Log In, Sign Up',
    ],
    [
      'a member of a child',
      member,
      hawks,
      hawks,
      'Dashboard, New Gallery, Prices, Roster, Reports, Settings, Account, Log Out',
    ],
    [
      'the same, away from its pages',
      member,
      null,
      hawks,
      'Dashboard, New Gallery, Prices, Roster, Reports, Settings, Account, Log Out',
    ],
    [
      'a member of a child on the free tier with a gallery',
      member,
      { ...hawks, isFull: true },
      hawks,
      'Dashboard, Upgrade, Prices, Roster, Reports, Settings, Account, Log Out',
    ],
    [
      'a member of a child where someone asked to hide a photo',
      member,
      { ...hawks, openRequests: 2 },
      hawks,
      'Dashboard, Requests, New Gallery, Prices, Roster, Reports, Settings, Account, Log Out',
    ],
    [
      'a member of a parent',
      member,
      { ...lakeside, parentPath: 'lakeside' },
      lakeside,
      'Organizations, Prices, Roster, Reports, Settings, Account, Log Out',
    ],
    [
      'a member of a parent at one of its children',
      member,
      { ...hawks, parentPath: 'lakeside' },
      lakeside,
      'Organizations, Dashboard, New Gallery, Prices, Roster, Reports, Settings, Account, Log Out',
    ],
    ['a user without an organization', member, null, null, 'Account, Log Out'],
    ['a platform admin without an organization', admin, null, null, `${OFFICE}, Account, Log Out`],
    [
      'a platform admin at a parent',
      admin,
      lakeside,
      null,
      `Prices, Roster, Reports, Settings, ${BULK}, ${OFFICE}, Account, Log Out`,
    ],
    [
      'a platform admin at a child',
      admin,
      hawks,
      null,
      `Dashboard, New Gallery, Prices, Roster, Reports, Settings, ${BULK}, ${OFFICE}, Account, Log Out`,
    ],
  ])('to %s', (_who, user, ofPage, own, labels) => {
    expect(
      navItems(user, { ofPage, own })
        .map(({ label }) => label)
        .join(', '),
    ).toBe(labels);
  });

  test('with a link to the parent’s organizations for its members, also at one of them', () => {
    const items = navItems(member, { ofPage: { ...hawks, parentPath: 'lakeside' }, own: lakeside });
    expect(items.slice(0, 2).map(({ to }) => to)).toEqual(['/lakeside/dashboard', '/hawks/dashboard']);
  });

  test('with the number of open requests', () => {
    const items = navItems(member, { ofPage: { ...hawks, openRequests: 2 }, own: hawks });
    expect(items.filter(({ count }) => count !== null)).toMatchObject([
      { label: 'Requests', icon: 'requests', count: 2, to: '/hawks/takedowns' },
    ]);
  });

  test('with links to one’s own pages on another organization’s pages, because links into those would log the user out', () => {
    const foreign = { ...hawks, domainName: 'tides', mayWork: false };
    const targets = navItems(member, { ofPage: foreign, own: hawks }).map(({ to }) => to);
    expect(targets).toEqual([
      '/hawks/dashboard',
      '/hawks/create-gallery',
      '/hawks/prices',
      '/hawks/roster',
      '/hawks/report',
      '/hawks/settings',
      '/users/me',
      '/logout',
    ]);
  });

  test('with an existing page for every link', () => {
    const addresses = addressesOf(routes as RouteConfigEntry[]);
    for (const page of ALL) expect(addresses).toContain(page);
  });

  test('with a link for every page of the office and every bulk tool', () => {
    const office = addressesOf(routes as RouteConfigEntry[]).filter(
      (page) => /^admin\/[^:]+$/.test(page) || /^:affiliate\/(\w+-)?bulk-[^:]+$/.test(page),
    );
    expect(office.length).toBeGreaterThan(8);
    expect(ALL).toEqual(expect.arrayContaining(office));
  });

  test.each([
    ['/admin-report', 'Sales'],
    ['/admin/pay-outs', 'Payouts'],
    ['/admin/pay-outs/7', 'Payouts'],
    ['/admin/audit-log', 'Audit log'],
    ['/new-org', 'New Org'],
    ['/lakeside/bulk-users-csv', 'Accounts from CSV'],
    ['/lakeside/user/7/hawks/2/edit', 'Edit Accounts'],
    ['/lakeside/orders', 'Reports'],
    ['/lakeside/statements/2026-10', 'Reports'],
    ['/lakeside/prices/codes', 'Prices'],
    ['/lakeside/roster/import', 'Roster'],
    ['/lakeside/activity', 'Settings'],
    ['/lakeside/gallery/7/edit', 'Dashboard'],
    ['/lakeside/gallery/7', null],
  ])('%s marks %j and nothing else', (pathname, label) => {
    const items = navItems(admin, { ofPage: { ...lakeside, isChild: true }, own: null });
    const marked = items.filter((item) => isCurrent(item, pathname));
    expect(marked.map((item) => item.label)).toEqual(label === null ? [] : [label]);
  });

  test.each([
    ['', false, false, false],
    ['', true, false, true],
    ['', true, true, false],
    ['?publicView=true', true, true, true],
    ['?publicView', false, true, true],
    ['?photoIndex=3', true, true, false],
  ])('with "%s", affiliate page %s, signed in %s: hidden is %s', (search, isAffiliatePage, isSignedIn, hidden) => {
    expect(barIsHidden({ search, isAffiliatePage, isSignedIn })).toBe(hidden);
  });
});

describe('the route chooses its layout', () => {
  test.each([
    [[], 'home'],
    [[undefined, {}], 'home'],
    [[undefined, { layout: 'affiliate' }, undefined], 'affiliate'],
    [[undefined, { layout: 'affiliate' }, { layout: 'working' }], 'working'],
    [[undefined, { layout: 'affiliate' }, { hidesCart: true }], 'affiliate'],
  ])('%j → %s', (handles, layout) => {
    expect(layoutOf(handles.map((handle) => ({ handle })))).toBe(layout);
  });

  test('one page may hide the cart', () => {
    expect(hidesCart([{ handle: { layout: 'affiliate' } }, { handle: { hidesCart: true } }])).toBe(true);
    expect(hidesCart([{ handle: undefined }])).toBe(false);
  });
});

/** Whole addresses of all pages, as `routes.ts` writes them. */
function addressesOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const address = [above, entry.path ?? ''].filter((part) => part !== '').join('/');
    return [address, ...addressesOf(entry.children ?? [], address)];
  });
}

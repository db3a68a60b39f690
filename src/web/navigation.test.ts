import { describe, expect, test } from 'vitest';
import type { UserAnswer } from '#src/features/accounts/accounts.contract.ts';
import { layoutOf, hidesCart } from '#src/web/route-handle.ts';
import { barIsHidden, navItems } from '#src/web/navigation.ts';

const viewer: UserAnswer = {
  id: 1,
  first_name: 'Ada',
  last_name: 'Field',
  email: 'ada@example.org',
  role_id: 1,
  organizations: [],
};
const child = { domainName: 'hawks-soccer', isChild: true, mayCreateGallery: true };

describe('the bar shows what may be done', () => {
  test.each([
    ['a visitor', null, null, ['Log In']],
    ['a visitor on an affiliate page', null, child, ['Log In']],
    ['a member of a child', viewer, child, ['Dashboard', 'New Gallery', 'Log Out']],
    [
      'a member of a child on the free tier with a gallery',
      viewer,
      { ...child, mayCreateGallery: false },
      ['Dashboard', 'Log Out'],
    ],
    ['a member of a parent', viewer, { ...child, isChild: false }, ['Log Out']],
    ['a user without an organisation', viewer, null, ['Log Out']],
  ])('to %s', (_who, user, affiliate, labels) => {
    expect(navItems(user, affiliate).map(({ label }) => label)).toEqual(labels);
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

describe('the route chooses its frame', () => {
  test.each([
    [[], 'home'],
    [[undefined, {}], 'home'],
    [[undefined, { layout: 'affiliate' }, undefined], 'affiliate'],
    [[undefined, { layout: 'affiliate' }, { layout: 'working' }], 'working'],
    [[undefined, { layout: 'affiliate' }, { hidesCart: true }], 'affiliate'],
  ])('%j → %s', (handles, layout) => {
    expect(layoutOf(handles.map((handle) => ({ handle })))).toBe(layout);
  });

  test('one page may send the cart away', () => {
    expect(hidesCart([{ handle: { layout: 'affiliate' } }, { handle: { hidesCart: true } }])).toBe(true);
    expect(hidesCart([{ handle: undefined }])).toBe(false);
  });
});

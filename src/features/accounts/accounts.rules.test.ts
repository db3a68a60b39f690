import { describe, expect, test } from 'vitest';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { landingAddress, landingPath, requestedPath } from '#src/features/accounts/accounts.rules.ts';

const person: UserAnswer = {
  id: 7,
  first_name: 'Ada',
  last_name: 'Park',
  email: 'a@b.co',
  role_id: 1,
  email_proven: true,
  organizations: [],
};
const parent = { id: 10, name: 'Lakeside', domain_name: 'lakeside' };
const club = {
  id: 12,
  name: 'Hawks',
  domain_name: 'hawks',
  kind: 'affiliate',
  parent_organization_id: 10,
  parent_organization: parent,
  free_tier: false,
  role: 2,
};
const director = { ...club, ...parent, kind: 'organization', parent_organization_id: null, parent_organization: null };

describe('the landing page of a login', () => {
  const local = { hostname: 'www.sideline.localhost', protocol: 'http:', port: '3000' };
  test('is the dashboard of a child, on the host of its parent', () => {
    const user = { ...person, organizations: [club] };
    expect(landingPath(user)).toBe('/hawks/dashboard');
    expect(landingAddress(user, local, 'sideline.localhost')).toBe(
      'http://lakeside.sideline.localhost:3000/hawks/dashboard',
    );
    const abroad = { hostname: 'sideline.example', protocol: 'https:', port: '' };
    expect(landingAddress(user, abroad, 'sideline.example')).toBe('https://lakeside.sideline.example/hawks/dashboard');
  });

  test('is the report of a parent; the first organization decides', () => {
    expect(landingPath({ ...person, organizations: [director, club] })).toBe('/lakeside/report');
  });

  test('is the home page without an organization, and on the current host if the cookie does not apply there', () => {
    expect(landingAddress(person, local, 'sideline.localhost')).toBe('/');
    const plain = { hostname: 'localhost', protocol: 'http:', port: '3000' };
    expect(landingAddress({ ...person, organizations: [club] }, plain, 'sideline.localhost')).toBe('/hawks/dashboard');
  });
});

test.each([
  ['/hawks/gallery/1/edit', '/hawks/gallery/1/edit'],
  ['/login-history', '/login-history'],
  ['/', null],
  ['/login', null],
  ['/login?redirect=/login', null],
  ['/logout', null],
  ['/update-password?x=1', null],
  [null, null],
])('a redirect to %s counts as %s', (redirect, path) => {
  expect(requestedPath(redirect)).toBe(path);
});

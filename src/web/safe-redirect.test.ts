import { describe, expect, test } from 'vitest';
import { loginAddress, safeRedirect, whereSessionsBegin } from '#src/web/safe-redirect.ts';

describe('a redirect leads to our own pages only', () => {
  test.each([
    ['/hawks-soccer/dashboard', '/hawks-soccer/dashboard'],
    ['/a?b=c#d', '/a?b=c#d'],
    ['/', '/'],
    ['/a/../b', '/b'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/a?next=http://evil.example', '/a?next=http://evil.example'],
    ['/.//evil.example', '/fallback'],
    ['/a/..//evil.example', '/fallback'],
    ['//evil.example', '/fallback'],
    ['///evil.example', '/fallback'],
    ['/\\evil.example', '/fallback'],
    ['/a\\b', '/fallback'],
    ['\\\\evil.example', '/fallback'],
    ['/\t/evil.example', '/fallback'],
    ['/\n/evil.example', '/fallback'],
    ['/\u0000', '/fallback'],
    ['http://evil.example', '/fallback'],
    ['https:/evil.example', '/fallback'],
    ['javascript:alert(1)', '/fallback'],
    [' /a', '/fallback'],
    ['a', '/fallback'],
    ['', '/fallback'],
    [null, '/fallback'],
    [undefined, '/fallback'],
    [`/${'a'.repeat(3000)}`, '/fallback'],
  ])('%j → %s', (given, expected) => {
    expect(safeRedirect(given, '/fallback')).toBe(expected);
  });

  test('the login leads back to the page that asked for it', () => {
    const address = loginAddress(new URL('http://localhost/hawks/gallery/1/edit?tab=share&x=1'));
    expect(address).toBe('/login?redirect=%2Fhawks%2Fgallery%2F1%2Fedit%3Ftab%3Dshare%26x%3D1');
    expect(safeRedirect(new URL(address, 'http://localhost').searchParams.get('redirect'))).toBe(
      '/hawks/gallery/1/edit?tab=share&x=1',
    );
    expect(loginAddress({ pathname: '/', search: '' })).toBe('/login');
  });
});

const from = (site: string) => new Request('http://any.test', { headers: { 'sec-fetch-site': site } });

describe('a session begins where its cookie reaches every organization', () => {
  test.each([
    ['http://localhost:3000/login?redirect=%2Fa', 'http://www.sideline.localhost:3000/login?redirect=%2Fa'],
    ['http://127.0.0.1:3000/sign-up', 'http://www.sideline.localhost:3000/sign-up'],
    ['http://[::1]/login', 'http://www.sideline.localhost/login'],
    ['http://sideline.localhost:3000/login', null],
    ['http://lakeside.sideline.localhost:3000/login', null],
    ['http://192.168.1.7:3000/login', null],
  ])('%s → %s', (page, expected) => {
    expect(whereSessionsBegin(new URL(page), from('same-origin'), 'sideline.localhost')).toBe(expected);
  });

  test.each([
    ['an installation elsewhere', 'same-origin', 'sideline.example'],
    ['an address that was typed', 'none', 'sideline.localhost'],
    ['a link of another site', 'cross-site', 'sideline.localhost'],
    ['a program', '', 'sideline.localhost'],
  ])('but %s gets the page at localhost', (_, site, baseDomain) => {
    expect(whereSessionsBegin(new URL('http://localhost:3000/login'), from(site), baseDomain)).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { isSameSite, readSite } from '#src/http/site.ts';

const BASE = 'sideline.localhost';

describe('the host names the organization', () => {
  test.each([
    ['localhost:3000', 'www', null],
    ['127.0.0.1:3000', 'www', null],
    ['[::1]:3000', 'www', null],
    ['sideline.localhost:3000', 'www', BASE],
    ['www.sideline.localhost', 'www', BASE],
    ['staging.sideline.localhost', 'www', BASE],
    ['LAKESIDE.Sideline.localhost:3000', 'lakeside', BASE],
    ['lakeside.localhost', 'lakeside', null],
    ['a.b.sideline.localhost', null, null],
    ['a.b.c.evil', null, null],
    ['lakeside.evil.example', null, null],
    ['lakeside.sideline.localhost.evil.example', null, null],
    ['', null, null],
    ['x'.repeat(300), null, null],
    ['lake side', null, null],
    ['-bad.sideline.localhost', null, null],
  ])('%s → %s', (host, label, cookieDomain) => {
    expect(readSite(host, BASE)).toEqual({ label, cookieDomain });
  });
});

describe('a page may write only within its own site', () => {
  test.each([
    ['http://lakeside.sideline.localhost:3000', 'lakeside.sideline.localhost:3000', true],
    ['http://www.sideline.localhost:3000', 'lakeside.sideline.localhost:3000', true],
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://evil.example', 'lakeside.sideline.localhost:3000', false],
    ['http://sideline.localhost.evil.example', 'sideline.localhost', false],
    ['http://localhost:3000', 'lakeside.sideline.localhost:3000', false],
    ['null', 'localhost:3000', false],
    ['', 'localhost:3000', false],
  ])('%s writing to %s: %s', (origin, host, allowed) => {
    expect(isSameSite(origin, host, BASE)).toBe(allowed);
  });
});

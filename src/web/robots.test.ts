import { expect, test } from 'vitest';
import { mayBeFound } from '#src/web/robots.ts';

test.each([
  ['/', true],
  ['/pricing', true],
  ['/sign-up', true],
  ['/hawks-soccer', true],
  ['/hawks-soccer/gallery/7', true],
  ['/hawks-soccer/gallery/7/photo/8', true],
  ['/login', false],
  ['/logout', false],
  ['/update-password', false],
  ['/contributor', false],
  ['/admin-report', false],
  ['/404', false],
  ['/hawks-soccer/checkout', false],
  ['/hawks-soccer/order/abc', false],
  ['/hawks-soccer/dashboard', false],
  ['/hawks-soccer/upgrade-account', false],
  ['/hawks-soccer/gallery/7/edit', false],
  ['/hawks-soccer/user/1/x/2/edit', false],
])('%s may be found: %s', (path, found) => {
  expect(mayBeFound(path)).toBe(found);
});

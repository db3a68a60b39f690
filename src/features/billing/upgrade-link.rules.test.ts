import { expect, test } from 'vitest';
import { backFromUpgrade, upgradePath } from '#src/features/billing/upgrade-link.rules.ts';

test('the link names the page to return to', () => {
  expect(upgradePath('tides')).toBe('/tides/upgrade-account');
  expect(upgradePath('tides', '/tides/gallery/7/edit')).toBe(
    '/tides/upgrade-account?back=%2Ftides%2Fgallery%2F7%2Fedit',
  );
});

test.each([
  ['', '/tides/dashboard'],
  ['?back=/tides/create-gallery', '/tides/create-gallery'],
  ['?back=/tides/gallery/7/edit%3Farea%3Dupload', '/tides/gallery/7/edit?area=upload'],
  ['?back=/hawks/dashboard', '/tides/dashboard'],
  ['?back=//evil.test/tides/', '/tides/dashboard'],
  ['?back=https://evil.test', '/tides/dashboard'],
  ['?back=/tides/upgrade-account', '/tides/dashboard'],
  ['?back=/tides/../hawks/dashboard', '/tides/dashboard'],
])('“%s” leads to %s', (query, to) => {
  expect(backFromUpgrade('tides', new URLSearchParams(query))).toBe(to);
});

import { expect, test } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#src/routes.ts';
import { BULK_ROOMS } from '#src/web/bulk-rooms.ts';
import { OFFICE_ROOMS } from '#src/web/office-rooms.ts';

const pages = (routes as RouteConfigEntry[]).map(({ path }) => path ?? '');

test('every link of the office leads to a page', () => {
  for (const { page } of OFFICE_ROOMS) expect(pages).toContain(page);
});

test('every page of the office has its link', () => {
  const office = pages.filter((page) => page.startsWith('admin/') && !page.includes(':'));
  expect(OFFICE_ROOMS.map(({ page }) => page)).toEqual(expect.arrayContaining(office));
});

test('so do the bulk tools', () => {
  const affiliate = (routes as RouteConfigEntry[]).find(({ id }) => id === 'affiliate')?.children ?? [];
  const standing = affiliate.map(({ path }) => path);
  for (const { page } of BULK_ROOMS) expect(standing).toContain(page);
});

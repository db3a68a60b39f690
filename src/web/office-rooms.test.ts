import { expect, test } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#src/routes.ts';
import { OFFICE_ROOMS } from '#src/web/office-rooms.ts';

const pages = (routes as RouteConfigEntry[]).map(({ path }) => path ?? '');

test('the office links to the pages that stand, and to no others', () => {
  const standing = OFFICE_ROOMS.filter(({ stands }) => stands).map(({ page }) => page);
  expect(standing).toEqual(OFFICE_ROOMS.map(({ page }) => page).filter((page) => pages.includes(page)));
});

test('every page of the office has its link', () => {
  const office = pages.filter((page) => page.startsWith('admin/') && !page.includes(':'));
  expect(OFFICE_ROOMS.map(({ page }) => page)).toEqual(expect.arrayContaining(office));
});

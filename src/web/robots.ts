import { SITE_PAGES } from '#src/shared/site-pages.ts';

const HOMES_AND_GALLERIES = /^\/[^/]+(?:\/gallery\/\d+(?:\/photo\/\d+)?)?\/?$/;
/** Pages with the address of a home that are not one: about an account, or with a key in their address. */
const NOT_HOMES = new Set([
  'login',
  'logout',
  'forgot-password',
  'update-password',
  'choose-password',
  'confirm-email',
  'change-email',
  'contributor',
  'find-my-order',
  'w',
  'new-org',
  'admin-report',
  '404',
]);

/**
 * Whether search engines may show a page at all: homes, galleries, photos and the site's own pages. Everything else is
 * an order, an account or a members' page. Private or locked galleries exclude themselves.
 */
export function mayBeFound(path: string): boolean {
  if (path === '/' || SITE_PAGES.includes(path)) return true;
  return HOMES_AND_GALLERIES.test(path) && !NOT_HOMES.has(path.split('/')[1] ?? '');
}

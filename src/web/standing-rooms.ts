/**
 * The pages that the bar may lead to and that stand, as `routes.ts` writes their addresses. A link whose page is
 * not built yet is never shown. `navigation.test.ts` compares this list with `routes.ts`: whoever adds such
 * a page adds its line here.
 */
export const STANDING_ROOMS: readonly string[] = [
  'why',
  'pricing',
  'support',
  'login',
  'logout',
  'sign-up',
  'new-org',
  ':affiliate/dashboard',
  ':affiliate/report',
  ':affiliate/takedowns',
  ':affiliate/create-gallery',
  ':affiliate/create-bulk-gallery',
  ':affiliate/create-bulk-users',
  ':affiliate/settings',
  ':affiliate/upgrade-account',
  'admin-report',
];

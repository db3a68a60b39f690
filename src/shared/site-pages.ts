/** The product's own public pages: the same on every host, with the root's host as their canonical one. */
export const SITE_PAGES: readonly string[] = [
  '/why',
  '/pricing',
  '/support',
  '/contact',
  '/talk-to-expert',
  '/sign-up',
  '/customerlicense',
  '/user-agreement',
  '/privacy',
  '/terms-of-use',
];

/** The product's own public pages: the same on every host, at home on the root's. */
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

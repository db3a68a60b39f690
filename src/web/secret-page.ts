/** For pages opened by a secret in the address or a cookie: not cached, and the address is sent to no other site. */
export const SECRET_PAGE = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };

/** The metadata of such a page: search engines ignore it, too. */
export const secretMeta = (title: string) => [
  { title },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

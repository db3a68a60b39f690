/** Pages of one person, opened by a secret in their address or by a cookie. */

/** Not cached, and their address is not sent to other sites. */
export const SECRET_PAGE = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };

export const secretPage = (title: string) => [
  { title },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

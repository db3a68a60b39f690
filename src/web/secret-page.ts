/** The headers of a page that a secret in its address, or a cookie, opens: not cached, and its address goes to no other site. */
export const SECRET_PAGE = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };

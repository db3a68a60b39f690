/** For a page that is opened by a secret in its address or by a cookie: not cached, and its address is sent to no other site. */
export const SECRET_PAGE = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };

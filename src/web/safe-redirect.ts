/** Where a redirect may lead (rule 11): only to our own paths, never to another host. */

const BASE = 'http://site.invalid';

/**
 * Reads a `redirect` parameter. Returns the path with its query and fragment if it is a same-site path beginning with
 * one `/`, otherwise `fallback`.
 */
export function safeRedirect(path: string | null | undefined, fallback = '/'): string {
  if (typeof path !== 'string' || path.length > 2_000) return fallback;
  // Backslashes and control characters (tab, line feed) are read as `/` or skipped by browsers.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]/u.test(path)) return fallback;
  const url = new URL(path, BASE);
  return url.origin === BASE && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : fallback;
}

/** The wanted path with the fragment of the current address: servers never see it, browsers keep it through redirects. */
export function withFragment(path: string, { hash }: { hash: string }): string {
  return path === '' || path.includes('#') ? path : path + hash;
}

/** The page where users choose their own password, which leads on to `wanted`. */
export function choosePasswordAddress(wanted: { pathname: string; search: string }): string {
  return `/choose-password?redirect=${encodeURIComponent(`${wanted.pathname}${wanted.search}`)}`;
}

/** The login page that leads back to `wanted`. */
export function loginAddress(wanted: { pathname: string; search: string }): string {
  const path = `${wanted.pathname}${wanted.search}`;
  return path === '/' ? '/login' : `/login?redirect=${encodeURIComponent(path)}`;
}

/** Hosts that mean the computer itself. */
const THIS_COMPUTER = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The same page on the main host, for pages that begin a session: browsers would not send a cookie of `localhost` to the
 * hosts of organizations. Null if the page is not at `localhost`, if this computer cannot find the main host, or if no
 * link of ours led here (`Sec-Fetch-Site`): programs that open the page at `localhost` get it there.
 */
export function whereSessionsBegin(page: URL, { headers }: Request, baseDomain: string): string | null {
  if (headers.get('sec-fetch-site') !== 'same-origin') return null;
  if (!THIS_COMPUTER.has(page.hostname) || !baseDomain.endsWith('.localhost')) return null;
  const main = new URL(page);
  main.hostname = `www.${baseDomain}`;
  return main.href;
}

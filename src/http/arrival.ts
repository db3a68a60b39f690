/** How a request was started, from the browser's headers that no page can set. */
import type { IncomingHttpHeaders } from 'node:http';

const AHEAD = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether a person navigated here: from our own pages, or with the address bar or a bookmark. A link or picture of
 * another site, a prefetched page, and clients without these headers may show a page but change nothing.
 */
export function wentHereThemselves(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false;
  if (AHEAD.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))) return false;
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (mode === 'navigate') return dest === 'document' && (site === 'same-origin' || site === 'none');
  // The router's own question for the data of the next page.
  return site === 'same-origin' && dest === 'empty';
}

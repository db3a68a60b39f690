/**
 * Headers of every response. Pages add a Content-Security-Policy with a nonce (`contentPolicy`, called by `pages.ts`);
 * other responses must not run anything.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** For responses that are not pages: nothing may run, nothing may be embedded. */
const INERT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const PERMISSIONS = 'camera=(), microphone=(), geolocation=()';

/**
 * For pages that may show a card provider's wallets: its frames may use the browser's payment interface, and the
 * windows that they open may talk to the page. Only if there is such a provider.
 */
export const WALLET_HEADERS = {
  'permissions-policy': `${PERMISSIONS}, payment=(self "https://js.stripe.com")`,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
};

export function sendSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    reply.header('cross-origin-opener-policy', 'same-origin');
    reply.header('permissions-policy', `${PERMISSIONS}, payment=(self)`);
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    done();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', INERT_POLICY);
    // Typed, scanned or kept by someone: no other site has opened this window, and browsers show the page without
    // starting another process for it (decision record 0179).
    if (request.headers['sec-fetch-site'] === 'none') reply.removeHeader('cross-origin-opener-policy');
    done();
  });
}

/** The Content-Security-Policy of pages: only our own scripts run, and no site may frame ours. */
type PolicyOptions = {
  /** What allows inline scripts and styles: the nonce of one response, or the hashes of a page that is sent to many. */
  inline: { scripts: string; styles: string };
  /** Other origins that the page may connect to: the object store for uploads, the card provider. */
  connect: readonly string[];
  /** Origins of the card provider's scripts and frames; none with the sandbox. */
  cards: readonly string[];
  /** Other origins of pictures: a CDN, and those of our hosts to which it redirects browsers. */
  pictures?: readonly string[];
  /** `?publicView=true` of a gallery, the only page that may be framed (rule 41). */
  mayBeFramed: boolean;
  /** Hosts to which a form of ours may redirect: a login on one host may lead to another. */
  forms?: readonly string[];
  /** Vite's hot reload needs its socket and inline styles. */
  development: boolean;
};

export function contentPolicy(options: PolicyOptions): string {
  const { inline, connect, cards, pictures = [], mayBeFramed, forms = [], development } = options;
  const policy: Record<string, string> = {
    'default-src': "'self'",
    'script-src': ["'self'", inline.scripts, ...cards].join(' '),
    // Style elements need the nonce or their hash; style attributes carry widths, ratios and accent colors, which no
    // sheet can know.
    'style-src': development ? "'self' 'unsafe-inline'" : `'self' ${inline.styles}`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': ["'self' data: blob:", ...pictures].join(' '),
    'font-src': "'self'",
    'connect-src': ["'self'", ...connect, ...cards, ...(development ? ['ws:'] : [])].join(' '),
    'frame-src': cards.length > 0 ? cards.join(' ') : "'none'",
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': ["'self'", ...forms].join(' '),
    'frame-ancestors': mayBeFramed ? '*' : "'none'",
  };
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** The page without its nonce, and what its policy must allow instead. */
export function withoutNonce(html: string, nonce: string) {
  const inline = { scripts: new Set<string>(), styles: new Set<string>() };
  for (const [, tag, text = ''] of html.matchAll(/<(script|style)\b[^>]*\snonce="[^>]*>([^]*?)<\/\1>/g))
    if (text !== '')
      inline[tag === 'style' ? 'styles' : 'scripts'].add(
        `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      );
  return {
    html: html.replaceAll(` nonce="${nonce}"`, ''),
    inline: { scripts: [...inline.scripts].join(' '), styles: [...inline.styles].join(' ') },
  };
}

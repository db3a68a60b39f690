/**
 * Headers of every response. Pages add a Content-Security-Policy with a nonce of
 * their own (`web/`); everything else must not run anything.
 */
import type { FastifyInstance } from 'fastify';

/** For answers that are no page: nothing may run, nothing may be embedded. */
export const INERT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const PERMISSIONS = 'camera=(), microphone=(), geolocation=()';

/**
 * For pages that may show a card provider's wallets: its frames ask the browser to pay, and the windows that they open
 * answer to the page. Only where there is such a provider.
 */
export const WALLET_HEADERS = {
  'permissions-policy': `${PERMISSIONS}, payment=(self "https://js.stripe.com")`,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
};

export function sendSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    reply.header('cross-origin-opener-policy', 'same-origin');
    reply.header('permissions-policy', `${PERMISSIONS}, payment=(self)`);
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  });
  server.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', INERT_POLICY);
  });
}

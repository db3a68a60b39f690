/** The address by which the sender of a request reached us. */
import type { FastifyRequest } from 'fastify';

/**
 * Scheme, host and port, without a slash at the end: `http://lakeside.sideline.localhost:3000`.
 * A browser that writes from a page of the same host says it itself in `Origin`, which stays
 * right behind a proxy that ends TLS; else it is what the connection tells. Only for requests
 * whose host is known to be ours.
 */
export function originOf(request: FastifyRequest): string {
  const { origin } = request.headers;
  if (origin !== undefined && URL.canParse(origin)) {
    const page = new URL(origin);
    if (page.host === request.host && /^https?:$/.test(page.protocol)) return page.origin;
  }
  return `${request.protocol}://${request.host}`;
}

/** Reads the host of a request: which organization it names, and for which domain its cookies are. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

export type Site = {
  /** Lower-case host label of the organization, `www` for the root; null for a host that is not ours. */
  label: string | null;
  /** `Domain` of cookies; null for host-only ones. */
  cookieDomain: string | null;
};

const ROOT_LABELS = new Set(['www', 'staging', 'test', 'localhost']);
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const UNKNOWN: Site = { label: null, cookieDomain: null };

/** Host header without its port; null for anything that is not a host name or address. */
export function hostName(header: string | undefined): string | null {
  if (!header || header.length > 260) return null;
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?$/.exec(header);
  return match?.[1] && Number(match[2] ?? 0) <= 65_535 ? match[1].toLowerCase() : null;
}

/**
 * The first label of the host is the organization (specification P§2.3); `www`, `staging`, `test`, `localhost`, the
 * bare base domain and any IP address mean the root. Hosts that are neither below the base domain nor below `localhost`
 * are unknown.
 */
export function readSite(hostHeader: string | undefined, baseDomain: string): Site {
  const host = hostName(hostHeader);
  if (host === null) return UNKNOWN;
  if (host === baseDomain) return { label: 'www', cookieDomain: baseDomain };
  if (host.endsWith(`.${baseDomain}`)) return labelled(host.slice(0, -baseDomain.length - 1), baseDomain);
  if (host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return { label: 'www', cookieDomain: null };
  if (host.endsWith('.localhost')) return labelled(host.slice(0, -'.localhost'.length), null);
  return UNKNOWN;
}

function labelled(label: string, cookieDomain: string | null): Site {
  if (!LABEL.test(label)) return UNKNOWN;
  return { label: ROOT_LABELS.has(label) ? 'www' : label, cookieDomain };
}

/** Whether a page of `originHeader` may write here: our own host, or any host of the same site. */
export function isSameSite(originHeader: string, hostHeader: string | undefined, baseDomain: string): boolean {
  const host = hostName(hostHeader);
  const originHost = hostName(URL.parse(originHeader)?.host);
  if (host === null || originHost === null) return false;
  if (originHost === host) return true;
  const below = (name: string) => name === baseDomain || name.endsWith(`.${baseDomain}`);
  return below(originHost) && below(host);
}

/**
 * Scheme, host and port, without a trailing slash: `http://lakeside.sideline.localhost:3000`. A browser that writes
 * from a page of the same host sends it in `Origin`, which is right behind a proxy that ends TLS, too; otherwise it is
 * derived from the connection. Only for requests to one of our hosts.
 */
export function originOf(request: FastifyRequest): string {
  const page = URL.parse(request.headers.origin ?? '');
  if (page?.host === request.host && /^https?:$/.test(page.protocol)) return page.origin;
  return `${request.protocol}://${request.host}`;
}

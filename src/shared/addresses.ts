/** Addresses of the site's own pages, made from configuration and database only, never from a request (rule 11). */

export type SiteOrigin = {
  protocol: 'http' | 'https';
  baseDomain: string;
  /** Null: the protocol's own. */
  port: number | null;
};

/** How browsers reach the site: below `localhost` at this port, elsewhere behind a proxy that uses https. */
export function siteOrigin(baseDomain: string, port: number): SiteOrigin {
  const isLocal = baseDomain === 'localhost' || baseDomain.endsWith('.localhost');
  return isLocal ? { protocol: 'http', baseDomain, port } : { protocol: 'https', baseDomain, port: null };
}

/** An absolute address, on the host of an organization: `siteUrl(origin, 'lakeside', '/hawks-soccer/order/x')`. */
export function siteUrl(origin: SiteOrigin, hostLabel: string, path: string): string {
  const port = origin.port === null ? '' : `:${origin.port}`;
  return `${origin.protocol}://${hostLabel}.${origin.baseDomain}${port}${path}`;
}

import type { RouterContextProvider } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';

/** The one address of a page for search engines: on the organization's own host, made from configuration (rule 11). */
export function canonicalAddress(context: Readonly<RouterContextProvider>, path: string): string {
  const { app, tenant } = context.get(requestContext);
  return siteUrl(siteOrigin(app.site.baseDomain, app.site.port), tenant.organization.domainName, path);
}

/** The organization that the first path label names. */
import { createContext, redirect, type MiddlewareFunction, type RouterContextProvider } from 'react-router';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { isReservedLabel } from '#src/shared/domain-name.ts';
import { notFound, orNull, type Problem } from '#src/shared/problem.ts';
import { requestContext } from '#src/web/app-context.ts';

/** Set on every page below `/:affiliate`: an affiliate, or a parent under its own name (rule 33). */
export const affiliateContext = createContext<Organization>();

/**
 * The middleware of `/:affiliate`. Guard 4: the pages of an affiliate of another parent are on that parent's host. So
 * are a parent's own, where a login at an address such as `localhost` leads.
 */
export const findAffiliate: MiddlewareFunction<Response> = async ({ context, params }) => {
  const { app, tenant, url } = context.get(requestContext);
  const label = params['affiliate'] ?? '';
  const affiliate = await app.organizations.byPath(tenant.organization, label);
  if (!affiliate) {
    const seller = await deletedSeller(context, url.pathname);
    if (!seller) throw await elsewhere(context, label);
    context.set(affiliateContext, seller);
    return undefined;
  }
  if (affiliate.id !== tenant.organization.id && affiliate.parentOrganizationId !== tenant.organization.id) {
    const parent =
      isChild(affiliate) && affiliate.parentOrganizationId !== null
        ? await app.organizations.byId(affiliate.parentOrganizationId)
        : null;
    if (!parent) throw notFound();
    throw redirect(addressOn(parent, app.site.baseDomain, url));
  }
  if (label.toLowerCase() !== affiliate.domainName.toLowerCase()) throw redirect(renamed(url, affiliate.domainName));
  context.set(affiliateContext, affiliate);
};

/** What to throw for a path without an organization here: a redirect to the parent of this name, on its own host. */
async function elsewhere(context: Readonly<RouterContextProvider>, label: string): Promise<Response | Problem> {
  const { app, url } = context.get(requestContext);
  const parent = isReservedLabel(label) ? null : await app.organizations.byHostLabel(label.toLowerCase());
  return parent === null ? notFound() : redirect(addressOn(parent, app.site.baseDomain, url));
}

/**
 * Called by the innermost loader of a page that is the same for every visitor: it shows facts of the host and the
 * affiliate, and of this gallery, or of galleries in general (null). The page is cached until one of them changes
 * (decision record 0056).
 */
export function everyoneSees(context: Readonly<RouterContextProvider>, galleryId: number | null): void {
  const { tenant, setSubjects } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  setSubjects([
    { organizationId: tenant.organization.id, galleryId: 0 },
    { organizationId: affiliate.id, galleryId: 0 },
    { organizationId: affiliate.id, galleryId },
  ]);
}

const ORDER_PAGE = /^\/[^/]+\/order\/([^/]+?)(?:\.data)?\/?$/;

/** A buyer keeps the page of the order after the organization was deleted (rule 26). */
async function deletedSeller(context: Readonly<RouterContextProvider>, pathname: string): Promise<Organization | null> {
  const { app, caller } = context.get(requestContext);
  const orderId = ORDER_PAGE.exec(pathname)?.[1];
  if (orderId === undefined) return null;
  const order = await orNull(app.orders.read(caller, orderId));
  return order && orNull(app.organizations.deleted(order.organization.id));
}

/** The same page under the affiliate's current path. */
function renamed({ pathname, search }: URL, to: string): string {
  return `/${to}/${pathname.split('/').slice(2).join('/')}${search}`.replace(/\/(?=$|\?)/, '');
}

/** The same path on a parent's host. The host comes from the database and the configuration only (rule 11). */
export function addressOn(parent: { domainName: string }, baseDomain: string, page: URL): string {
  const port = page.port === '' ? '' : `:${page.port}`;
  return `${page.protocol}//${parent.domainName}.${baseDomain}${port}${page.pathname}${page.search}`;
}

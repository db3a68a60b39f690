/** What the frame of every page shows: whose site it is, who is signed in, which colors. */
import type { RouterContextProvider } from 'react-router';
import { presentOrganization } from '#src/features/tenancy/organizations.rules.ts';
import type { PublicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { accentTokens, type AccentTokens } from '#src/shared/color.ts';
import { requestContext, type PageContext } from '#src/web/app-context.ts';
import { footerLinks, type FooterLinks } from '#src/web/frame/footer-links.ts';
import { navAffiliate } from '#src/web/frame/nav-affiliate.ts';
import type { NavAffiliate } from '#src/web/navigation.ts';

export type Shell = {
  organization: Pick<PublicOrganization, 'name' | 'kind' | 'logo_url' | 'contact_email'>;
  accent: AccentTokens;
  /** Null for visitors. */
  viewer: UserAnswer | null;
  /** The first organization that the viewer joined: outside its pages the navigation bar leads there. */
  own: NavAffiliate | null;
  /** What the footers link to, made from configuration. */
  footer: FooterLinks;
};

/** As a visitor sees it: calls no service, so that it works around any failure. */
export function visitorShell({ app, tenant }: Pick<PageContext, 'app' | 'tenant'>): Shell {
  const { name, kind, logo_url, contact_email } = presentOrganization(tenant.organization);
  return {
    organization: { name, kind, logo_url, contact_email },
    accent: accentTokens(tenant.organization.primaryColor),
    viewer: null,
    own: null,
    footer: footerLinks(app.site, tenant.organization),
  };
}

/** The loader of `root.tsx`. */
export async function loadShell(context: Readonly<RouterContextProvider>): Promise<Shell> {
  const page = context.get(requestContext);
  const { app, caller } = page;
  const viewer = caller.actor.kind === 'user' ? await app.accounts.currentUser(caller) : null;
  // A user whose password was chosen by someone else may only choose another one.
  const isHeld = caller.actor.kind === 'user' && caller.actor.mustChangePassword === true;
  const first = isHeld ? undefined : viewer?.organizations[0];
  const home = first ? await app.organizations.byId(first.id) : null;
  return {
    ...visitorShell(page),
    viewer,
    own: home ? await navAffiliate(context, home) : null,
  };
}

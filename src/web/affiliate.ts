/** What the screens below `/:affiliate` know about it. */
import type { RouterContextProvider } from 'react-router';
import type { PublicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import { presentOrganization } from '#src/features/tenancy/organizations.rules.ts';
import { accentTokens, type AccentTokens } from '#src/shared/color.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { navAffiliate } from '#src/web/frame/nav-affiliate.ts';
import type { NavAffiliate } from '#src/web/navigation.ts';

export type AffiliateOfPage = {
  organization: PublicOrganization;
  accent: AccentTokens;
  /** What the navigation bar offers this viewer here. */
  nav: NavAffiliate;
};

/** The loader of `/:affiliate`. */
export async function loadAffiliate(context: Readonly<RouterContextProvider>): Promise<AffiliateOfPage> {
  const organization = context.get(affiliateContext);
  return {
    organization: presentOrganization(organization),
    accent: accentTokens(organization.primaryColor),
    nav: await navAffiliate(context, organization),
  };
}

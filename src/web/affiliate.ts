/** What the screens below `/:affiliate` know about it. */
import type { RouterContextProvider } from 'react-router';
import { presentOrganization, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { accentTokens, type AccentTokens } from '#src/shared/color.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { navAffiliate } from '#src/web/frame/nav-affiliate.ts';
import type { NavAffiliate } from '#src/web/navigation.ts';

export type AffiliateOfPage = {
  organization: ReturnType<typeof shownOf>;
  accent: AccentTokens;
  /** What the navigation bar offers this viewer here. */
  nav: NavAffiliate;
};

/** The loader of `/:affiliate`. */
export async function loadAffiliate(context: Readonly<RouterContextProvider>): Promise<AffiliateOfPage> {
  const organization = context.get(affiliateContext);
  return {
    organization: shownOf(organization),
    accent: accentTokens(organization.primaryColor),
    nav: await navAffiliate(context, organization),
  };
}

/** Its name, its banner and its sponsors: each page below it has them. */
function shownOf(organization: Organization) {
  const { id, name, logo_url, home_image_url, ...all } = presentOrganization(organization);
  const { tablet_display_image_url, tablet_display_url, mobile_display_image_url, mobile_display_url } = all;
  return {
    id,
    name,
    logo_url,
    home_image_url,
    tablet_display_image_url,
    tablet_display_url,
    mobile_display_image_url,
    mobile_display_url,
  };
}

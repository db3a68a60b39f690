/** What the screens below `/:affiliate` know of it. */
import { useRouteLoaderData, type RouterContextProvider } from 'react-router';
import type { PublicOrganization } from '#src/features/organizations/organizations.contract.ts';
import { isChild, presentOrganization } from '#src/features/organizations/organizations.rules.ts';
import { accentTokens, type AccentTokens } from '#src/shared/color.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';

/** The route's id in `routes.ts`. */
export const AFFILIATE_ROUTE = 'affiliate';

export type AffiliateOfPage = {
  organization: PublicOrganization;
  isChild: boolean;
  accent: AccentTokens;
};

/** The loader of `/:affiliate`. */
export function loadAffiliate(context: Readonly<RouterContextProvider>): AffiliateOfPage {
  const organization = context.get(affiliateContext);
  return {
    organization: presentOrganization(organization),
    isChild: isChild(organization),
    accent: accentTokens(organization.primaryColor),
  };
}

/** Null on pages that are not below `/:affiliate`. */
export function useAffiliate(): AffiliateOfPage | null {
  return useRouteLoaderData<AffiliateOfPage>(AFFILIATE_ROUTE) ?? null;
}

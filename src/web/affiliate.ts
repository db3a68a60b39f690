/** What the screens below `/:affiliate` know of it. */
import { useRouteLoaderData, type RouterContextProvider } from 'react-router';
import type { PublicOrganization } from '#src/features/organizations/organizations.contract.ts';
import { isChild, presentOrganization } from '#src/features/organizations/organizations.rules.ts';
import { accentTokens, type AccentTokens } from '#src/shared/color.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { mayCreateGallery } from '#src/web/may-create-gallery.ts';

/** The route's id in `routes.ts`. */
export const AFFILIATE_ROUTE = 'affiliate';

export type AffiliateOfPage = {
  organization: PublicOrganization;
  isChild: boolean;
  accent: AccentTokens;
  /** Whether the bar offers this viewer a new gallery here. */
  mayCreateGallery: boolean;
};

/** The loader of `/:affiliate`. */
export async function loadAffiliate(context: Readonly<RouterContextProvider>): Promise<AffiliateOfPage> {
  const organization = context.get(affiliateContext);
  return {
    organization: presentOrganization(organization),
    isChild: isChild(organization),
    accent: accentTokens(organization.primaryColor),
    mayCreateGallery: await mayCreateGallery(context, organization),
  };
}

/** Null on pages that are not below `/:affiliate`. */
export function useAffiliate(): AffiliateOfPage | null {
  return useRouteLoaderData<AffiliateOfPage>(AFFILIATE_ROUTE) ?? null;
}

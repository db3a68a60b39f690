import { useRouteLoaderData } from 'react-router';
import type { AffiliateOfPage } from '#src/web/affiliate.ts';

/** The route's id in `routes.ts`. */
const AFFILIATE_ROUTE = 'affiliate';

/** Null on pages that are not below `/:affiliate`. */
export function useAffiliate(): AffiliateOfPage | null {
  return useRouteLoaderData<AffiliateOfPage>(AFFILIATE_ROUTE) ?? null;
}

/** The link to the upgrade page from where a limit was reached, and back afterwards. */
import { safeRedirect } from '#src/web/safe-redirect.ts';

const BACK = 'back';

/** The upgrade page of an affiliate. @param back a page below it; absent: the dashboard */
export function upgradePath(affiliate: string, back?: string): string {
  return `/${affiliate}/upgrade-account${back === undefined ? '' : `?${new URLSearchParams({ [BACK]: back })}`}`;
}

/** Where the upgrade page leads afterwards: the given page if it belongs to this affiliate, else the dashboard. */
export function backFromUpgrade(affiliate: string, search: URLSearchParams): string {
  const dashboard = `/${affiliate}/dashboard`;
  const back = safeRedirect(search.get(BACK), dashboard);
  return back.startsWith(`/${affiliate}/`) && !back.startsWith(`/${affiliate}/upgrade-account`) ? back : dashboard;
}

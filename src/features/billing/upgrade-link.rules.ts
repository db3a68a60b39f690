/** The way to more space, from where the limit was met, and back there afterwards. */
import { safeRedirect } from '#src/web/safe-redirect.ts';

const BACK = 'back';

/** The upgrade page of an affiliate. @param back a page below it; absent: the dashboard */
export function upgradePath(affiliate: string, back?: string): string {
  return `/${affiliate}/upgrade-account${back === undefined ? '' : `?${new URLSearchParams({ [BACK]: back })}`}`;
}

/** Where the upgrade page leads when it is done: the page that was named if it is one of this affiliate's, else the dashboard. */
export function backFromUpgrade(affiliate: string, search: URLSearchParams): string {
  const dashboard = `/${affiliate}/dashboard`;
  const back = safeRedirect(search.get(BACK), dashboard);
  return back.startsWith(`/${affiliate}/`) && !back.startsWith(`/${affiliate}/upgrade-account`) ? back : dashboard;
}

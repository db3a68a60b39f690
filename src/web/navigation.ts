/**
 * Which links the bar shows to whom (specification P§2.4, "Navigation bar"). A link appears here
 * together with its page.
 */
import type { UserAnswer } from '#src/features/accounts/accounts.contract.ts';

export type NavItem = { label: string; to: string; icon: 'dashboard' | 'new-gallery' | 'log-out' | 'log-in' };

/** The affiliate of the page, where there is one. */
export type NavAffiliate = { domainName: string; isChild: boolean; mayCreateGallery: boolean };

/** @param affiliate the one of the page; elsewhere the viewer's own */
export function navItems(viewer: UserAnswer | null, affiliate: NavAffiliate | null): NavItem[] {
  if (viewer === null) return [{ label: 'Log In', to: '/login', icon: 'log-in' }];
  const items: NavItem[] = [];
  if (affiliate?.isChild) {
    items.push({ label: 'Dashboard', to: `/${affiliate.domainName}/dashboard`, icon: 'dashboard' });
    if (affiliate.mayCreateGallery)
      items.push({ label: 'New Gallery', to: `/${affiliate.domainName}/create-gallery`, icon: 'new-gallery' });
  }
  items.push({ label: 'Log Out', to: '/logout', icon: 'log-out' });
  return items;
}

/** Hidden with `?publicView`, and for visitors on an affiliate's pages. */
export function barIsHidden(page: { search: string; isAffiliatePage: boolean; isSignedIn: boolean }): boolean {
  return new URLSearchParams(page.search).has('publicView') || (page.isAffiliatePage && !page.isSignedIn);
}

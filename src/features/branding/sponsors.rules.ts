/** How large a sponsor's banner is, and where it leads. */
import type { SponsorCount, SponsorSlot } from '#src/features/branding/sponsors.contract.ts';

/** In pixels. Not in the contract, so that a page with a banner carries no schemas. */
export const SPONSOR_SIZES = {
  tablet: { width: 728, height: 90 },
  mobile: { width: 300, height: 250 },
} as const satisfies Record<SponsorSlot, { width: number; height: number }>;

/** The link as it is stored; null for anything but a web address (threat 19). */
export function sponsorLink(owner: { tabletAdUrl: string | null; mobileAdUrl: string | null }, slot: SponsorSlot) {
  const link = slot === 'tablet' ? owner.tabletAdUrl : owner.mobileAdUrl;
  const url = link === null ? null : URL.parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Our own address of a banner's link, where a press is counted. */
export function sponsorLinkPath(organizationId: number, slot: SponsorSlot): string {
  return `/api/v1/organizations/${organizationId}/sponsors/${slot}`;
}

/** How often each banner was seen and followed from a day on (`YYYY-MM-DD`). */
export function sponsorSums(counts: readonly SponsorCount[], since: string) {
  const sums = { tablet: { impressions: 0, clicks: 0 }, mobile: { impressions: 0, clicks: 0 } };
  for (const { day, slot, impressions, clicks } of counts) {
    if (day < since) continue;
    sums[slot].impressions += impressions;
    sums[slot].clicks += clicks;
  }
  return sums;
}

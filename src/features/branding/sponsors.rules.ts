/** The size of a sponsor's banner, and its link. */
import type { SponsorCount, SponsorSlot } from '#src/features/branding/sponsors.contract.ts';

/** In pixels. Not in the contract, so that a page with a banner loads no schemas. */
export const SPONSOR_SIZES = {
  tablet: { width: 728, height: 90 },
  mobile: { width: 300, height: 250 },
} as const satisfies Record<SponsorSlot, { width: number; height: number }>;

/** A stored link; null for anything but a web address (threat 19). */
export function sponsorLink(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Our own address of a banner's link, which counts a click. */
export function sponsorLinkPath(organizationId: number, slot: SponsorSlot): string {
  return `/api/v1/organizations/${organizationId}/sponsors/${slot}`;
}

/** The views and clicks of each banner since a day (`YYYY-MM-DD`). */
export function sponsorSums(counts: readonly SponsorCount[], since: string) {
  const sums = { tablet: { impressions: 0, clicks: 0 }, mobile: { impressions: 0, clicks: 0 } };
  for (const { day, slot, impressions, clicks } of counts) {
    if (day < since) continue;
    sums[slot].impressions += impressions;
    sums[slot].clicks += clicks;
  }
  return sums;
}

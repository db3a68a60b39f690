/** Where a sponsor's banner leads. */
import type { SponsorSlot } from '#src/features/organizations/sponsors.contract.ts';

/** The link as it is stored; null for anything but a web address (threat 19). */
export function sponsorLink(
  owner: { tabletAdUrl: string | null; mobileAdUrl: string | null },
  slot: SponsorSlot,
): string | null {
  const link = slot === 'tablet' ? owner.tabletAdUrl : owner.mobileAdUrl;
  const url = link === null ? null : URL.parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Our own address of a banner's link, where a press is counted. */
export function sponsorDoorPath(organizationId: number, slot: SponsorSlot): string {
  return `/api/v1/organizations/${organizationId}/sponsors/${slot}`;
}

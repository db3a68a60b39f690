/** Sponsors' banners: two positions, and their counts (specification P§1, A§5). */
import * as z from 'zod/mini';
import type { OrganizationPicture } from '#src/features/tenancy/organizations.contract.ts';

/** `tablet` is 728×90 on tablets and computers, `mobile` 300×250 on phones. */
const SPONSOR_SLOTS = ['tablet', 'mobile'] as const;
export type SponsorSlot = (typeof SPONSOR_SLOTS)[number];

export const SPONSOR_PICTURES: Record<SponsorSlot, OrganizationPicture> = { tablet: 'tablet_ad', mobile: 'mobile_ad' };

export const sponsorSlot = z.enum(SPONSOR_SLOTS, { error: 'Place must be tablet or mobile.' });
export const sponsorViewBody = z.strictObject({ slot: sponsorSlot });

/** The counts of one position on one day of the organization's time zone. */
export const sponsorCount = z.object({
  day: z.string(),
  slot: z.enum(SPONSOR_SLOTS),
  impressions: z.number(),
  clicks: z.number(),
});
export type SponsorCount = z.infer<typeof sponsorCount>;

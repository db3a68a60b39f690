/** Public facts of organizations (rule 49): schemas and texts. */
import * as z from 'zod/mini';

export const ORGANIZATION_KINDS = ['root', 'organization', 'affiliate', 'chapter'] as const;
export type OrganizationKind = (typeof ORGANIZATION_KINDS)[number];

export const ORGANIZATION_NOT_FOUND = 'This organization cannot be found.';

/** The pictures of an organization; each has an address of our own. */
export const ORGANIZATION_PICTURES = ['logo', 'home_image', 'tablet_ad', 'mobile_ad'] as const;
export type OrganizationPicture = (typeof ORGANIZATION_PICTURES)[number];

export const publicOrganization = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(ORGANIZATION_KINDS),
  domain_name: z.string(),
  parent_organization_id: z.nullable(z.number()),
  logo_url: z.nullable(z.string()),
  home_image_url: z.nullable(z.string()),
  tablet_display_image_url: z.nullable(z.string()),
  tablet_display_url: z.nullable(z.string()),
  mobile_display_image_url: z.nullable(z.string()),
  mobile_display_url: z.nullable(z.string()),
  primary_color: z.string(),
  secondary_color: z.literal('#FFFFFF'),
  default_photo_price: z.number(),
  free_tier: z.boolean(),
  can_add_custom_payment: z.boolean(),
  processor_info: z.object({ stripe_pk: z.nullable(z.string()) }),
  /** Only for the root and for parents; null for children. */
  contact_email: z.nullable(z.string()),
});
export type PublicOrganization = z.infer<typeof publicOrganization>;

/** One item of the list for search boxes. */
export const organizationForSearch = z.object({
  id: z.number(),
  name: z.string(),
  domain_name: z.string(),
  logo_url: z.nullable(z.string()),
});

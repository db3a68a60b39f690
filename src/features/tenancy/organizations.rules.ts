/** The public facts of an organization, and its addresses. */
import type {
  OrganizationKind,
  OrganizationPicture,
  PublicOrganization,
} from '#src/features/tenancy/organizations.contract.ts';
import { toDollars } from '#src/shared/money.ts';

/** The main organization, on `www`: its members manage the platform. */
export const ROOT_ID = 1;

/** An organization with everything that is not secret. */
export type Organization = {
  id: number;
  kind: OrganizationKind;
  name: string;
  domainName: string;
  parentOrganizationId: number | null;
  freeTier: boolean;
  shareBps: number;
  primaryColor: string;
  defaultPhotoPriceCents: number;
  pictureKeys: Record<OrganizationPicture, string | null>;
  tabletAdUrl: string | null;
  mobileAdUrl: string | null;
  canAddCustomPayment: boolean;
  stripePk: string | null;
  contactEmail: string | null;
  takesPromoCodes: boolean;
  /** It, or its parent, has codes that buyers can type: coupons or prepaid credit. */
  takesCodes: boolean;
  timeZone: string;
};

/** The look of emails in an organization's name. */
export const brandOf = ({ name, primaryColor }: Pick<Organization, 'name' | 'primaryColor'>) => ({
  name,
  accent: primaryColor,
});

/** An affiliate or chapter is below a parent; the root and parents have hosts of their own. */
export function isChild(organization: Organization): boolean {
  return organization.kind === 'affiliate' || organization.kind === 'chapter';
}

/** Our own address of a picture; the key's last part is its version, so the address can be cached permanently. */
export function pictureAddress(organization: Organization, picture: OrganizationPicture): string | null {
  return addressOf(organization.id, picture, organization.pictureKeys[picture]);
}

/** The same for lists, which have fewer facts. */
export const logoAddress = (id: number, key: string | null): string | null => addressOf(id, 'logo', key);

function addressOf(id: number, picture: OrganizationPicture, key: string | null): string | null {
  if (key === null) return null;
  const version = key.slice(key.lastIndexOf('/') + 1).slice(0, 16);
  return `/api/v1/organizations/${id}/pictures/${picture}?v=${version}`;
}

/** The whitelist of rule 49. The public card key is included only if custom payment is allowed (rule 7). */
export function presentOrganization(organization: Organization): PublicOrganization {
  return {
    id: organization.id,
    name: organization.name,
    kind: organization.kind,
    domain_name: organization.domainName,
    parent_organization_id: organization.parentOrganizationId,
    logo_url: pictureAddress(organization, 'logo'),
    home_image_url: pictureAddress(organization, 'home_image'),
    tablet_display_image_url: pictureAddress(organization, 'tablet_ad'),
    tablet_display_url: organization.tabletAdUrl,
    mobile_display_image_url: pictureAddress(organization, 'mobile_ad'),
    mobile_display_url: organization.mobileAdUrl,
    primary_color: organization.primaryColor,
    secondary_color: '#FFFFFF',
    default_photo_price: toDollars(organization.defaultPhotoPriceCents),
    free_tier: organization.freeTier,
    can_add_custom_payment: organization.canAddCustomPayment,
    processor_info: { stripe_pk: organization.canAddCustomPayment ? organization.stripePk : null },
    contact_email: isChild(organization) ? null : organization.contactEmail,
  };
}

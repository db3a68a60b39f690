/** Texts and small lists of the settings. Without schemas, so that the page loads none that it does not use. */

export const ORGANIZATION_NAME_REQUIRED = 'Organization name is required';
export const CONTACT_NAME_REQUIRED = 'Contact name is required';
export const DOMAIN_NAME_REQUIRED = 'Affiliate name (domain name) is required';
export const AFFILIATE_ID_MISSING = 'Cannot update: Affiliate ID is missing';
export const NO_USER_FOR_PASSWORD = 'Cannot update password: No user associated with this organization';
export const PASSWORDS_DO_NOT_MATCH = 'Passwords do not match';
export const LEAVE_BLANK = 'Leave blank for no change.';
export const NOT_OWN_PASSWORD = 'Only this person or a platform administrator can change this password.';
export const DOMAIN_IS_FIXED = 'The address of a parent organization cannot be changed here.';
export const OLD_LINKS_LEAD_ON =
  'Links and QR codes with the old address will redirect here. Use the new one in anything you print.';
/** Of an organization's bill: without the hyphen, too. */
export const US_ZIP = /^\d{5}(?:-?\d{4})?$/;
export const ZIP_NOT_VALID = 'Zip is not a valid US zip code.';
export const DEFAULT_PRICE_REQUIRED = 'Default photo price is required';
export const DEFAULT_PRICE_NOT_VALID = 'Default photo price must be from $0 to $100, with at most two decimals.';
export const LINK_NOT_VALID = 'Please enter a web address starting with https://';
export const TIME_ZONE_NOT_VALID = 'Please choose a time zone from the list.';
export const PLACEMENT_NOT_VALID = 'Please choose tiled or centered.';
export const STRENGTH_NOT_VALID = 'Please choose light, normal or strong.';

export const ONLY_PNG_OR_JPEG = 'Only PNG and JPEG images can be used here.';
export const PICTURE_TOO_LARGE = 'Images can be at most 5 MB.';
export const PICTURE_UNKNOWN = 'This upload can’t be found. Please upload the image again.';
export const PICTURE_NOT_STORED = 'The upload didn’t finish. Please upload the image again.';
export const PICTURE_DAMAGED = 'This image is damaged.';
export const pictureTooWide = (maximum: number) => `Images can have at most ${maximum} pixels on each side.`;
/** The specification's own words (A§5), for both sides. */
export const widthIncorrect = (width: number, required: number) =>
  `The image width is incorrect. This image is ${width}px wide, required is: ${required}`;
export const heightIncorrect = (height: number, required: number) =>
  `The image height is incorrect. This image is ${height}px high, required is: ${required}`;

/** The button of the page (specification A§4, 9). */
export const UPDATE = 'Update';
export const UPDATING = 'Updating...';
export const UPDATED = 'Updated!';
export const UPDATE_FAILED = 'Error!';
export const UPDATE_REVERT_MS = 2_000;
export const SETTINGS_LEAVE_QUESTION = 'Your changes to these settings are not saved.';

/** Cents (rule 44). */
export const MAX_DEFAULT_PRICE_CENTS = 10_000;
export const MAX_TAX_ID_CHARACTERS = 20;
export const MAX_WATERMARK_CHARACTERS = 60;

export const WATERMARK_PLACEMENTS = ['tiled', 'centred'] as const;
export type WatermarkPlacement = (typeof WATERMARK_PLACEMENTS)[number];
/** The opacity of a text watermark (rule 57). */
export const WATERMARK_STRENGTHS = ['light', 'normal', 'strong'] as const;
export type WatermarkStrength = (typeof WATERMARK_STRENGTHS)[number];

/** Time zones of the United States (rule 43). The names are those of the tz database. */
export const TIME_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  'Pacific/Guam',
  'Pacific/Pago_Pago',
] as const;
type TimeZone = (typeof TIME_ZONES)[number];
export const TIME_ZONE_NAMES: Record<TimeZone, string> = {
  'America/New_York': 'Eastern (New York)',
  'America/Chicago': 'Central (Chicago)',
  'America/Denver': 'Mountain (Denver)',
  'America/Phoenix': 'Mountain without daylight saving time (Phoenix)',
  'America/Los_Angeles': 'Pacific (Los Angeles)',
  'America/Anchorage': 'Alaska (Anchorage)',
  'America/Adak': 'Aleutian Islands (Adak)',
  'Pacific/Honolulu': 'Hawaii (Honolulu)',
  'America/Puerto_Rico': 'Atlantic (Puerto Rico, Virgin Islands)',
  'Pacific/Guam': 'Chamorro (Guam, Northern Marianas)',
  'Pacific/Pago_Pago': 'Samoa (Pago Pago)',
};

/**
 * The normalized address; null for anything but https, for more than 2,000 characters and for addresses with a user name or
 * password.
 */
export function readSponsorLink(value: string): string | null {
  const trimmed = value.trim();
  if (trimmed.length > 2_000 || !/^https:\/\/[^/\s]/i.test(trimmed)) return null;
  const url = URL.parse(trimmed);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

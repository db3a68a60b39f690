/** The pictures of the settings: kinds, sizes and limits (specification A§5 "Images"; rule 40). */
import * as z from 'zod/mini';

export const SETTINGS_PICTURES = ['logo', 'watermark', 'home_image', 'tablet_ad', 'mobile_ad'] as const;
export type SettingsPicture = (typeof SETTINGS_PICTURES)[number];

export const KIND_REQUIRED = 'Image must be logo, watermark, home_image, tablet_ad or mobile_ad.';
export const AFFILIATE_REQUIRED = 'An affiliate is required.';

export const pictureKind = z.enum(SETTINGS_PICTURES, { error: KIND_REQUIRED });

/** 5 MB: the largest of them is 1278 × 500. */
export const MAX_PICTURE_BYTES = 5_242_880;
export const MAX_PICTURE_SIDE = 4_096;

/** The affiliate's field for each of them. */
export const PICTURE_FIELDS = {
  logo: 'logo_url',
  watermark: 'watermark_url',
  home_image: 'home_image_url',
  tablet_ad: 'tablet_display_image_url',
  mobile_ad: 'mobile_display_image_url',
} as const satisfies Record<SettingsPicture, string>;

/** The exact pixels of a picture; the others may have any size up to the limit. */
export const EXACT_SIZES: Partial<Record<SettingsPicture, { width: number; height: number }>> = {
  home_image: { width: 1278, height: 500 },
  tablet_ad: { width: 728, height: 90 },
  mobile_ad: { width: 300, height: 250 },
};

export const PICTURE_NAME = /\.(jpe?g|png)\s*$/i;

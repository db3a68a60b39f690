/** How each picture of the settings is stored, and its problems, in the contract's words. */
import {
  EXACT_SIZES,
  MAX_PICTURE_SIDE,
  type SettingsPicture,
} from '#src/features/branding/settings-pictures.contract.ts';
import { heightIncorrect, pictureTooWide, widthIncorrect } from '#src/features/tenancy/settings-words.contract.ts';

/**
 * Logos are shown at 88 px and printed on cards, watermarks are drawn over photos of 1440 px; both may be transparent.
 * A watermark is always a PNG, which drawing requires. Home images are photos.
 */
export const STORED_AS: Record<
  SettingsPicture,
  { box: { width: number; height: number } | null; to: 'png' | 'jpeg' | 'kept' }
> = {
  logo: { box: { width: 640, height: 640 }, to: 'kept' },
  watermark: { box: { width: 1_024, height: 1_024 }, to: 'png' },
  home_image: { box: null, to: 'jpeg' },
  tablet_ad: { box: null, to: 'kept' },
  mobile_ad: { box: null, to: 'kept' },
};

/** Both messages if both sides are wrong; empty if it is valid. */
export function sizeProblems(kind: SettingsPicture, { width, height }: { width: number; height: number }): string[] {
  const exact = EXACT_SIZES[kind];
  if (!exact) return Math.max(width, height) > MAX_PICTURE_SIDE ? [pictureTooWide(MAX_PICTURE_SIDE)] : [];
  return [
    ...(width === exact.width ? [] : [widthIncorrect(width, exact.width)]),
    ...(height === exact.height ? [] : [heightIncorrect(height, exact.height)]),
  ];
}

/** The sizes and qualities in which every photo is made: see docs/decisions/0002-renditions.md for the measurements. */
import { RENDITION_SIZES, type RenditionSize } from '#src/shared/picture-sizes.ts';

/** `lean` is for pictures so rich in detail that they would load slowly on a phone; the detail hides the loss. */
const QUALITY: Record<RenditionSize, { quality: number; leanQuality: number }> = {
  1440: { quality: 78, leanQuality: 64 },
  960: { quality: 76, leanQuality: 63 },
  640: { quality: 74, leanQuality: 62 },
  480: { quality: 70, leanQuality: 60 },
  320: { quality: 70, leanQuality: 60 },
};

/** How one size is written. */
export type RenditionPlan = { size: RenditionSize; quality: number; leanQuality: number };

/** From large to small: each is made from the one before. */
export const RENDITION_PLAN: readonly RenditionPlan[] = RENDITION_SIZES.map((size) => ({
  size,
  ...QUALITY[size],
})).toReversed();

/** A picture is rich if the clean copy of its largest rendition takes more bytes per pixel than this. */
export const RICH_BYTES_PER_PIXEL = 0.22;

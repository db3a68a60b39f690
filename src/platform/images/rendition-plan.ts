import type { RenditionSize } from '#src/platform/images/images.ts';

/** How one size is written: see docs/decisions/0002-renditions.md for the measurements. */
export type RenditionPlan = {
  size: RenditionSize;
  quality: number;
  /** For pictures so rich in detail that they would be slow on a phone; the detail hides what is lost. */
  leanQuality: number;
};

/** From large to small: each is made from the one before. */
export const RENDITION_PLAN: readonly RenditionPlan[] = [
  { size: 1440, quality: 78, leanQuality: 64 },
  { size: 960, quality: 76, leanQuality: 63 },
  { size: 640, quality: 74, leanQuality: 62 },
  { size: 480, quality: 70, leanQuality: 60 },
  { size: 320, quality: 70, leanQuality: 60 },
];

/** A picture is rich if the clean copy of its largest rendition takes more bytes per pixel than this. */
export const RICH_BYTES_PER_PIXEL = 0.22;

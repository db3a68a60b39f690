/** How large the sides of a photo may be, and the words for one that is too large: the browser refuses by it before it sends, the server after. */

/** Rule 40: a progressive file is held in memory whole while it is decoded, a baseline one is not. */
export const MAX_PIXELS = 100_000_000;
const MAX_PROGRESSIVE_PIXELS = 40_000_000;
const MAX_SIDES_RATIO = 50;

export const DAMAGED = 'This image is damaged.';
export const TOO_NARROW = `This image is too narrow to be a photo: one side is more than ${MAX_SIDES_RATIO} times the other.`;

type Sides = { width: number; height: number; progressive: boolean };

/** Why a JPEG with these sides is not taken; null for a good one. */
export function sidesProblem({ width, height, progressive }: Sides): string | null {
  if (width === 0 || height === 0) return DAMAGED;
  const limit = progressive ? MAX_PROGRESSIVE_PIXELS : MAX_PIXELS;
  if (width * height > limit) return tooManyPixels(width * height, limit, progressive);
  return Math.max(width, height) > MAX_SIDES_RATIO * Math.min(width, height) ? TOO_NARROW : null;
}

function tooManyPixels(pixels: number, limit: number, progressive: boolean): string {
  const megapixels = Math.ceil(pixels / 1_000_000);
  const kind = progressive ? 'A progressive JPEG' : 'An image';
  return `This image has ${megapixels} megapixels. ${kind} can have at most ${limit / 1_000_000}.`;
}

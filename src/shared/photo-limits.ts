/**
 * The limits of a photo: its keywords, which people type and files bring; and its sides, with the message for larger
 * ones, which the browser checks before it uploads, the server afterwards.
 */
export const MAX_KEYWORDS = 50;
export const MAX_KEYWORD_CHARACTERS = 60;

/** Rule 40: a progressive file is held in memory completely while it is decoded, a baseline file is not. */
export const MAX_PIXELS = 100_000_000;
const MAX_PROGRESSIVE_PIXELS = 40_000_000;
const MAX_SIDES_RATIO = 50;

export const DAMAGED = 'This image is damaged.';
export const TOO_NARROW = `This image is too narrow to be a photo: one side is more than ${MAX_SIDES_RATIO} times the other.`;

type Sides = { width: number; height: number; progressive: boolean };

/** Why a JPEG with these sides is refused; null for a valid one. */
export function dimensionsProblem({ width, height, progressive }: Sides): string | null {
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

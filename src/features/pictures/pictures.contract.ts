/** Rotating photos and previewing watermarks: schemas and texts (specification A§7, 8; rules 30, 48). */
import * as z from 'zod/mini';

export const ROTATE_FAILED = 'Error rotating image. Please contact support.';
export const TURNS_INVALID = 'Turns must be 1, 2 or 3 quarter turns clockwise.';
export const MARK_TEXT_TOO_LONG = 'A watermark text can have at most 60 characters.';
export const MARK_PLACEMENT_INVALID = 'Watermark must be tiled or centered.';
export const MARK_STRENGTH_INVALID = 'Watermark must be light, normal or strong.';
export const MARK_KEY_UNKNOWN = 'This watermark can’t be found. Please upload it again.';
export const MARK_PREVIEW_UNAVAILABLE = 'The preview isn’t available right now. Please try again.';
const MAX_MARK_TEXT = 60;

/** Clockwise quarter turns; one when absent. The body may be absent, too. */
export const rotateBody = z.optional(
  z.nullable(z.strictObject({ turns: z.optional(z.literal([1, 2, 3], { error: TURNS_INVALID })) })),
);
export const markPreviewQuery = z.object({
  placement: z.optional(z.enum(['tiled', 'centred'], { error: MARK_PLACEMENT_INVALID })),
  strength: z.optional(z.enum(['light', 'normal', 'strong'], { error: MARK_STRENGTH_INVALID })),
  text: z.optional(
    z.pipe(
      z.string(),
      z.transform((text, context) => {
        const tidy = text.replace(/\s+/g, ' ').trim();
        if ([...tidy].length > MAX_MARK_TEXT)
          context.issues.push({ code: 'custom', message: MARK_TEXT_TOO_LONG, input: text });
        return tidy;
      }),
    ),
  ),
  /** Of an uploaded watermark that is not saved yet. */
  key: z.optional(z.string().check(z.maxLength(300, MARK_KEY_UNKNOWN))),
  /** Only makes the address new. */
  t: z.optional(z.string()),
});
export type MarkPreviewQuery = z.infer<typeof markPreviewQuery>;

/** How many of an organization's photos have its current watermark. */
export const markProgress = z.object({ total: z.number(), done: z.number() });
export type MarkProgress = z.infer<typeof markProgress>;

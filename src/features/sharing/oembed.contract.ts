/** oEmbed 1.0 (oembed.com): how a site shows a gallery in its own page, from the gallery's address alone. */
import * as z from 'zod/mini';

/** Of the frame if the requesting site sets no maximum. */
export const OEMBED_SIZE = { width: 960, height: 720 } as const;
export const OEMBED_CACHE_SECONDS = 300;

export const URL_REQUIRED = 'Please name the address of a gallery in url.';
export const SIZE_NOT_VALID = 'Must be a whole number of pixels, 1 or more.';
export const NO_SUCH_GALLERY = 'There is no gallery at this address.';
export const NOT_FOR_EVERYONE = 'This gallery is not open to everyone.';
export const ONLY_JSON = 'Only the format json is offered.';

const pixels = z.optional(
  z.pipe(
    z.string({ error: SIZE_NOT_VALID }).check(z.regex(/^[1-9]\d{0,5}$/, SIZE_NOT_VALID)),
    z.transform((text: string) => Number(text)),
  ),
);

export const oembedQuery = z.object({
  url: z.string({ error: URL_REQUIRED }).check(z.maxLength(2_000, URL_REQUIRED)),
  maxwidth: pixels,
  maxheight: pixels,
  format: z.optional(z.string()),
});

export const oembedAnswer = z.object({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  title: z.string(),
  author_name: z.string(),
  author_url: z.string(),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.number(),
  /** Left out if it would be larger than the requesting site allows. */
  thumbnail_url: z.optional(z.string()),
  thumbnail_width: z.optional(z.number()),
  thumbnail_height: z.optional(z.number()),
  html: z.string(),
  width: z.number(),
  height: z.number(),
});
export type OembedAnswer = z.infer<typeof oembedAnswer>;

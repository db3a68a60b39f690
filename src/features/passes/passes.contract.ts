/** The photos of a pass that was sold (offers A.8). */
import * as z from 'zod/mini';
import { offeredPass } from '#src/features/order-offers/sold-passes.contract.ts';
import { countUpTo } from '#src/shared/paging.ts';

export const PASS_NOT_FOUND = 'This pass was not found.';
const MAX_PASS_PHOTOS_PER_PAGE = 100;
export const PASS_PHOTOS_PER_PAGE = 50;

export const passPhotosQuery = z.object({
  after: z.optional(z.string()),
  limit: z.optional(countUpTo(MAX_PASS_PHOTOS_PER_PAGE)),
});
export type PassPhotosQuery = z.output<typeof passPhotosQuery>;

const passPhoto = z.object({
  id: z.number(),
  gallery_id: z.number(),
  name: z.string(),
  image_url: z.string(),
  added_at: z.string(),
});

/** Newest first. */
export const passPhotosAnswer = z.object({ photos: z.array(passPhoto), next: z.nullable(z.string()) });
export type PassPhotosAnswer = z.infer<typeof passPhotosAnswer>;

export const numberOffersQuery = z.object({ search: z.string().check(z.maxLength(100)) });

/** What a number of a gallery offers: teams to watch, and its pass where a price sheet sells one. */
export const numberOffersAnswer = z.object({
  /** Null when no one may search numbers, and for a text that is not a number. */
  number: z.nullable(z.string()),
  teams: z.array(z.object({ id: z.number(), name: z.string(), pass: z.nullable(offeredPass) })),
});
export type NumberOffers = z.infer<typeof numberOffersAnswer>;

/** The photos of a pass that was sold (offers A.8). */
import * as z from 'zod/mini';
import { countUpTo } from '#src/shared/paging.ts';

export const PASS_NOT_FOUND = 'This pass was not found.';
export const MAX_PASS_PHOTOS_PER_PAGE = 100;
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
export type PassPhoto = z.infer<typeof passPhoto>;

/** Newest first. */
export const passPhotosAnswer = z.object({ photos: z.array(passPhoto), next: z.nullable(z.string()) });
export type PassPhotosAnswer = z.infer<typeof passPhotosAnswer>;

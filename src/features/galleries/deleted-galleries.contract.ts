/** Galleries that their owners deleted, and the way back for platform admins (rule 45). */
import * as z from 'zod/mini';

export const DELETED_PER_PAGE = 10;
export const BRING_BACK = 'Restore';
export const BRINGING_BACK = 'Restoring...';
export const broughtBack = (name: string) => `${name} is back.`;

export const deletedGalleries = z.object({
  galleries: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      photo_count: z.number(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
  /** Opaque; null after the last page. */
  next: z.nullable(z.string()),
});
export type DeletedGalleries = z.infer<typeof deletedGalleries>;
export type DeletedGallery = DeletedGalleries['galleries'][number];

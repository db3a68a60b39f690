/** Lists of galleries: an organization's own, and the newest ones for home pages. */
import { createGalleryListing, type GalleryListingDeps } from '#src/features/home/gallery-listing.service.ts';
import { createGalleryShowcase, type GalleryShowcaseDeps } from '#src/features/home/gallery-showcase.service.ts';

export type GalleryListService = ReturnType<typeof createGalleryLists>;

export function createGalleryLists(deps: GalleryListingDeps & GalleryShowcaseDeps) {
  return { ...createGalleryListing(deps), ...createGalleryShowcase(deps) };
}

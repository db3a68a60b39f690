import { useOutletContext } from 'react-router';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { PhotoPages } from '#src/features/public-gallery/ui/use-photo-pages.ts';

/** What the gallery page passes to the photo that is open over it: the loaded list, and the cart. */
export type GalleryContext = {
  /** The photos loaded for the current search, their total, and ways to load more (`more`, `until`). */
  pages: PhotoPages;
  /** For addresses: the affiliate's path, the gallery and the query parameters to keep. */
  place: GalleryPlace;
  seller: Seller;
  allowsVoting: boolean;
  cart: CartOf;
  /** Adds a photo to the cart or removes it. */
  toggle: (item: CartItem) => void;
};

export function useGalleryContext(): GalleryContext {
  return useOutletContext<GalleryContext>();
}

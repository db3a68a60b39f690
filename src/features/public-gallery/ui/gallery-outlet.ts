import { useOutletContext } from 'react-router';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { PhotoPages } from '#src/features/public-gallery/ui/use-photo-pages.ts';

/** What the gallery page hands to the photo that is open over it: the list that is loaded, and the cart. */
export type GalleryOutlet = {
  /** The photos loaded for the present search, how many there are in all, and ways to load on (`more`, `until`). */
  pages: PhotoPages;
  /** For addresses: the affiliate's path, the gallery and what of the address stays. */
  place: GalleryPlace;
  seller: Seller;
  allowsVoting: boolean;
  cart: CartOf;
  /** Puts a photo into the cart or takes it out. */
  toggle: (item: CartItem) => void;
};

export function useGalleryOutlet(): GalleryOutlet {
  return useOutletContext<GalleryOutlet>();
}
